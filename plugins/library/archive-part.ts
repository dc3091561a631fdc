import type { Kernel } from 'agent-platform'
import { Closed, Name, newId, OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, Importing } from '../archives/contract.ts'
import type { Files } from '../files/contract.ts'
import type { Objects } from '../storage/contract.ts'
import { shown } from './following.ts'
import { grants } from './granting/schemas.ts'
import type { createGranting } from './granting/service.ts'
import { items } from './schemas.ts'
import type { ItemRow, ItemStore } from './stores/items.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  files: Files
  storage: Objects
  itemStore: ItemStore
  granting: ReturnType<typeof createGranting>
}

const Item = Closed({
  name: Name({ maxLength: 255 }),
  description: OrNull(Type.String({ maxLength: 5_000 })),
  mediaType: Type.String({ maxLength: 200 }),
  favourite: Type.Boolean(),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  own: Type.Boolean(),
  level: OrNull(Type.Enum([...grants.levels]))
})
type Item = Static<typeof Item>

const PAGE = 200

/** Files that the agent stored, and those of its owner that it was granted; neither links nor what they came from. */
export function libraryPart({
  knex,
  transaction,
  facts,
  files,
  storage,
  itemStore,
  granting
}: Deps): ArchivePart {
  async function make({ by, agentId, reserve, blob }: Importing, item: Item): Promise<void> {
    const { name, description, favourite, sha256, own, level } = item
    const fileId = await reserve('file')
    const about = { id: fileId, name, mediaType: item.mediaType }
    const file = await files.store(by, blob(sha256).open(), about)
    const { mediaType, size } = file
    const { project, owner } = by
    const origin = { type: 'upload' as const, id: fileId }
    const row = { project, owner, agentId: own ? agentId : null, name, description, mediaType, size, origin }
    const none = { chain: [], actor: by.id, preview: null, cid: null }
    const itemId = await transaction(async (trx) => {
      // The fact that the file is there may have come first.
      const made = await itemStore.insert(trx, {
        ...row,
        ...none,
        id: newId('item'),
        fileId,
        sha256: file.sha256
      })
      const found = made ?? ((await trx(items.name).where({ project, fileId }).first()) as ItemRow)
      const { row: kept } = await items.update(trx, found, {
        name,
        description,
        favourite,
        agentId: row.agentId
      })
      const told = { subject: kept.id, owner, data: shown(kept) }
      await facts.record(trx, made ? 'library.created' : 'library.updated', by, told)
      return kept.id
    })
    if (level !== null) await granting.grant(by, itemId, { subjectType: 'agent', subjectId: agentId, level })
  }

  return {
    version: 1,
    what: 'files of the library that it stored or was granted',
    optional: true,
    records: { item: Item },

    async *export({ agent: { project, owner, id: agentId }, blob }) {
      for (let after = ''; ; ) {
        const rows: (ItemRow & { level: Item['level'] })[] = await knex(`${items.name} as i`)
          .leftJoin(`${grants.name} as g`, (on) =>
            on
              .on('g.project', 'i.project')
              .on('g.itemId', 'i.id')
              .andOnVal('g.subjectType', 'agent')
              .andOnVal('g.subjectId', agentId)
          )
          .where({ 'i.project': project, 'i.owner': owner })
          .where((its) => its.where('i.agentId', agentId).orWhereNotNull('g.id'))
          .where('i.id', '>', after)
          .orderBy('i.id')
          .limit(PAGE)
          .select(...items.columns.map((column) => `i.${column}`), 'g.level')
        for (const row of rows) {
          const { name, description, mediaType, favourite, level, sha256, size } = row
          const own = row.agentId === agentId
          blob({ sha256, size: Number(size), open: () => storage.open(sha256) })
          yield { kind: 'item', data: { name, description, mediaType, favourite, sha256, own, level } }
        }
        const last = rows.at(-1)
        if (!last) return
        after = last.id
      }
    },

    async import(into, records) {
      for await (const { data } of records) {
        into.signal.throwIfAborted()
        await make(into, data as Item)
      }
    },

    async undo(by, ids) {
      for (const id of ids) await transaction((trx) => files.remove(trx, by, { ...by, id }))
    }
  }
}
