import type { Fact, Facts, Kernel, Principal, Trx } from 'agent-platform'
import { newId, typeOfId } from 'agent-platform'
import type {} from '../files/contract.ts'
import type { Objects } from '../storage/contract.ts'
import type { Addressing } from './addressing/service.ts'
import type { Item } from './schemas.ts'
import type { ItemRow, ItemStore } from './stores/items.ts'

interface Deps extends Pick<Kernel, 'facts'> {
  itemStore: ItemStore
  addressing: Addressing
}

/** Items follow files: what is stored for people is in the library, and what is deleted is not. */
export const itemOfFile =
  ({ itemStore, facts, addressing }: Deps) =>
  async (fact: Fact<Facts['files.uploaded']>, trx: Trx): Promise<void> => {
    const { project, owner, actor, data: file } = fact
    const { id: fileId, name, mediaType, size, sha256 } = file
    const { type, chain } = file.origin
    if (type === 'internal') return
    const agentId = typeOfId(actor) === 'agent' ? actor : null
    const origin = { type, id: type === 'upload' ? fileId : (chain[0]?.id ?? fileId) }
    const about = {
      name,
      description: null,
      mediaType,
      size,
      origin,
      fileId,
      sha256,
      actor,
      preview: null,
      cid: null
    }
    const row = { id: newId('item'), project, owner, agentId, chain, ...about }
    const made = await itemStore.insert(trx, row)
    if (!made) return
    const created = { subject: made.id, owner, data: shown(made) }
    await facts.record(trx, 'library.created', actorOf(fact), created)
    await addressing.request(trx, { project, owner })
  }

export const itemOfFileGone =
  ({ itemStore, storage }: { itemStore: ItemStore; storage: Objects }) =>
  async ({ project, subject }: Fact<{ id: string }>, trx: Trx): Promise<void> => {
    const gone = await itemStore.removeOfFile(trx, project, subject)
    if (gone) await storage.unlink(trx, holderOf(gone.id))
  }

/** Who did it, as far as a fact names it: it may nothing else. */
const actorOf = ({ project, owner, actor }: Fact): Principal => {
  const type = typeOfId(actor) === 'agent' ? 'agent' : 'user'
  return { id: actor, type, project, owner, scopes: new Set(), narrowed: false, credential: '' }
}

export const holderOf = (itemId: string) => `library/${itemId}`

/** An item without what is kept beside it. */
export const shown = ({
  id,
  owner,
  name,
  description,
  mediaType,
  size,
  favourite,
  origin,
  cid,
  ...row
}: ItemRow): Item => {
  const { version, createdAt, updatedAt } = row
  const about = { id, owner, name, description, mediaType, size: Number(size), favourite, origin, cid }
  return { ...about, version, createdAt, updatedAt }
}
