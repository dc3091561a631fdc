import type { Fact, Kernel, Principal, Trx } from 'agent-platform'
import { newId, typeOfId } from 'agent-platform'
import type { Extraction } from '../extraction/contract.ts'
import type { File, Files } from '../files/contract.ts'
import type { Objects } from '../storage/contract.ts'
import type { ItemAccess } from './granting/access.ts'
import { subjectsOf } from './granting/subjects.ts'
import type { Item, ItemChanges, ItemQuery, KeptPreview, ShownItem, Step } from './schemas.ts'
import { items } from './schemas.ts'
import type { ItemRow, ItemStore } from './stores/items.ts'

export type ItemService = ReturnType<typeof createItemService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  files: Files
  storage: Objects
  extraction: Extraction
  itemStore: ItemStore
  itemAccess: ItemAccess
}

/** Of a preview: more than any is. */
const PREVIEW_BYTES = 16_777_216

export function createItemService(deps: Deps) {
  const { transaction, facts, files, storage, extraction, itemStore, itemAccess } = deps

  async function list(by: Principal, query: ItemQuery) {
    const { data, nextCursor } = await itemStore.list(by, subjectsOf(by), query)
    const reached = await itemAccess.withAccess(by, data)
    return { data: reached.map((row) => ({ ...shown(row), access: row.access })), nextCursor }
  }

  async function read(by: Principal, id: string): Promise<ShownItem> {
    const row = await itemAccess.item(by, id, 'read')
    return { ...shown(row), access: row.access }
  }

  async function update(by: Principal, id: string, changes: ItemChanges, version?: number) {
    const found = await itemAccess.item(by, id, 'write')
    return transaction(async (trx) => {
      const { row, isChanged } = await items.update(trx, found, changes, version)
      const item = shown(row)
      if (isChanged)
        await facts.record(trx, 'library.updated', by, { subject: id, owner: item.owner, data: item })
      return { ...item, access: found.access }
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await itemAccess.item(by, id, 'manage')
    return transaction(async (trx) => {
      const { project, owner, fileId } = await items.remove(trx, found, version)
      await storage.unlink(trx, holderOf(id))
      await files.remove(trx, by, { project, owner, id: fileId })
      await facts.record(trx, 'library.deleted', by, { subject: id, owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  async function provenance(by: Principal, id: string): Promise<{ itemId: string; chain: Step[] }> {
    const { origin, actor, sha256, createdAt } = await itemAccess.item(by, id, 'read')
    return { itemId: id, chain: [{ ...origin, actor, at: createdAt, sha256 }] }
  }

  /** Made when it is first asked for, and kept as long as the item is. */
  async function preview(by: Principal, id: string, signal: AbortSignal) {
    const row = await itemAccess.item(by, id, 'read')
    if (row.preview) return { ...row.preview, body: await storage.read(row.preview.sha256, PREVIEW_BYTES) }
    const { name, mediaType } = row
    const content = await storage.open(row.sha256)
    try {
      const { body, ...made } = await extraction.preview(by, { name, mediaType, content }, {}, signal)
      return { ...(await keep(row, body, made)), body: Buffer.from(body) }
    } finally {
      content.destroy()
    }
  }

  async function keep(row: ItemRow, body: Uint8Array, made: Omit<KeptPreview, 'sha256'>) {
    const put = await storage.put(once(body), { maxBytes: PREVIEW_BYTES })
    const kept = { sha256: put.sha256, mediaType: made.mediaType, truncated: made.truncated }
    const isKept = await transaction(async (trx) => {
      if (!(await itemStore.updatePreview(trx, row, kept))) return false
      await storage.link(trx, put.sha256, holderOf(row.id))
      return true
    })
    if (!isKept) await storage.release(put)
    return kept
  }

  return { list, read, update, remove, provenance, preview }
}

/** Items follow files: what is uploaded is in the library, and what is deleted is not. */
export const itemOfFile =
  ({ itemStore }: { itemStore: ItemStore }) =>
  async ({ project, owner, actor, data: file }: Fact<File>, trx: Trx): Promise<void> => {
    const { id: fileId, name, mediaType, size, sha256 } = file
    const agentId = typeOfId(actor) === 'agent' ? actor : null
    const origin = { type: 'upload' as const, id: fileId }
    const about = { name, description: null, mediaType, size, origin, fileId, sha256, actor, preview: null }
    await itemStore.insert(trx, { id: newId('item'), project, owner, agentId, ...about })
  }

export const itemOfFileGone =
  ({ itemStore, storage }: { itemStore: ItemStore; storage: Objects }) =>
  async ({ project, subject }: Fact<{ id: string }>, trx: Trx): Promise<void> => {
    const gone = await itemStore.removeOfFile(trx, project, subject)
    if (gone) await storage.unlink(trx, holderOf(gone.id))
  }

const holderOf = (itemId: string) => `library/${itemId}`

async function* once(body: Uint8Array) {
  yield body
}

const shown = ({
  id,
  owner,
  name,
  description,
  mediaType,
  size,
  favourite,
  origin,
  ...row
}: ItemRow): Item => {
  const { version, createdAt, updatedAt } = row
  const about = { id, owner, name, description, mediaType, size: Number(size), favourite, origin }
  return { ...about, version, createdAt, updatedAt }
}
