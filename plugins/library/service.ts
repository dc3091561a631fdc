import type { Kernel, Principal } from 'agent-platform'
import type { Extraction } from '../extraction/contract.ts'
import type { Files } from '../files/contract.ts'
import type { Objects } from '../storage/contract.ts'
import { holderOf, shown } from './following.ts'
import type { ItemChanges, ItemQuery, KeptPreview, ShownItem, Step } from './schemas.ts'
import { items } from './schemas.ts'
import type { ItemAccess } from './stores/access.ts'
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
    const { data, nextCursor } = await itemStore.list(by, query)
    const reached = await itemAccess.withAccess(by, data)
    return { data: reached.map((row) => ({ ...shown(row), access: row.access })), nextCursor }
  }

  async function read(by: Principal, id: string): Promise<ShownItem> {
    const row = await itemAccess.find(by, id, 'read')
    return { ...shown(row), access: row.access }
  }

  async function update(by: Principal, id: string, changes: ItemChanges, version?: number) {
    const found = await itemAccess.find(by, id, 'write')
    return transaction(async (trx) => {
      const { row, isChanged } = await items.update(trx, found, changes, version)
      const item = shown(row)
      if (isChanged)
        await facts.record(trx, 'library.updated', by, { subject: id, owner: item.owner, data: item })
      return { ...item, access: found.access }
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await itemAccess.find(by, id, 'manage')
    return transaction(async (trx) => {
      const { project, owner, fileId } = await items.remove(trx, found, version)
      await storage.unlink(trx, holderOf(id))
      await files.remove(trx, by, { project, owner, id: fileId })
      await facts.record(trx, 'library.deleted', by, { subject: id, owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  async function provenance(by: Principal, id: string) {
    const row = await itemAccess.find(by, id, 'read')
    const { origin, fileId, actor, sha256, createdAt } = row
    const file: Step = { type: 'file', id: fileId, actor, at: createdAt, sha256 }
    const before = row.chain.map((it): Step => ({ ...it, actor: null, at: null, sha256: null }))
    return { itemId: id, origin, chain: [file, ...before] }
  }

  /** Made when it is first asked for, and kept as long as the item is. */
  async function preview(by: Principal, id: string, signal: AbortSignal) {
    const row = await itemAccess.find(by, id, 'read')
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

async function* once(body: Uint8Array) {
  yield body
}
