import type { Kernel, Owned, Principal, Trx, Verb } from 'agent-platform'
import { owned } from 'agent-platform'
import type { ByteRange, Objects } from '../../storage/contract.ts'
import type { File, FileAbout, Files } from '../contract.ts'
import type { FileStore } from '../stores/files.ts'
import type { Uploads } from './uploads.ts'
import { holderOf, shown } from './uploads.ts'

interface Deps extends Pick<Kernel, 'facts'> {
  storage: Objects
  fileStore: FileStore
  uploads: Uploads
}

/** Files of owners. */
export function createFileService({ facts, storage, fileStore, uploads }: Deps) {
  async function store(by: Principal, source: AsyncIterable<Uint8Array>, about: FileAbout) {
    const owner = about.owner ?? by.owner
    const { files } = await uploads.receive(by, [{ source, about }], { owner })
    return files[0] as NonNullable<(typeof files)[0]>
  }

  const find = async (by: Principal, fileId: string, verb: Verb, param?: string) =>
    owned(by, await fileStore.find(fileId), 'File', verb, { ...(param !== undefined && { param }) })

  async function open(by: Principal, fileId: string, range?: ByteRange) {
    const file = await find(by, fileId, 'read')
    return { file: shown(file), stream: await storage.open(file.sha256, range) }
  }

  async function remove(trx: Trx, by: Principal, { project, id }: Owned & { readonly id: string }) {
    const gone = await fileStore.remove(trx, { project, id })
    if (!gone) return false
    await storage.unlink(trx, holderOf(id))
    await facts.record(trx, 'files.deleted', by, { subject: id, owner: gone.owner, data: { id } })
    return true
  }

  return {
    store,
    find,
    open,
    madeIn: fileStore.listOfRun,
    stream: (file: Pick<File, 'sha256'>, range?: ByteRange) => storage.open(file.sha256, range),
    read: (file: Pick<File, 'sha256'>, maxBytes: number) => storage.read(file.sha256, maxBytes),
    remove
  } satisfies Omit<Files, 'picture' | 'setAvatar'>
}
export type FileService = ReturnType<typeof createFileService>
