import { createHash } from 'node:crypto'
import type { Kernel, Principal } from 'agent-platform'
import { conflict, insufficientStorage, newId } from 'agent-platform'
import type { Objects, PutObject } from '../../storage/contract.ts'
import type { FileAbout, FileOrigin } from '../contract.ts'
import { cleanName } from '../file-name.ts'
import { mediaTypeOf, SAMPLE_BYTES } from '../media-type.ts'
import type { File } from '../schemas.ts'
import type { FileSettings } from '../settings.ts'
import type { FileRow, FileStore } from '../stores/files.ts'
import { sample } from './sample.ts'

export type Uploads = ReturnType<typeof createUploads>

/** A file on its way. */
export interface Incoming {
  readonly source: AsyncIterable<Uint8Array>
  readonly about: FileAbout
}
interface Received extends PutObject {
  readonly id: string
  readonly origin: Required<FileOrigin>
  readonly name: string
  readonly mediaType: string
}

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'log'> {
  settings: FileSettings
  storage: Objects
  fileStore: FileStore
}

/** Takes files in: their bytes as they come, then all of them in one transaction, or nothing. */
export function createUploads({ transaction, facts, log, settings, storage, fileStore }: Deps) {
  const most = { bytes: settings.ownerBytes, files: settings.ownerFiles }

  async function receive(
    by: Principal,
    incoming: AsyncIterable<Incoming> | Iterable<Incoming>,
    { key, owner = by.owner }: { key?: string; owner?: string } = {}
  ): Promise<{ files: readonly FileRow[]; repeated: boolean }> {
    await refuseFull(by.project, owner)
    const received: Received[] = []
    try {
      for await (const { source, about } of incoming) received.push(await take(source, about))
      const before = key === undefined ? undefined : await repeated(by, key, received)
      if (before) {
        await giveUp(received)
        return { files: before, repeated: true }
      }
      return { files: await record(by, owner, received, key), repeated: false }
    } catch (error) {
      await giveUp(received)
      throw error
    }
  }

  async function take(source: AsyncIterable<Uint8Array>, about: FileAbout): Promise<Received> {
    const { head, whole } = await sample(source, SAMPLE_BYTES)
    const name = cleanName(about.name)
    const mediaType = await mediaTypeOf(head, name, about.mediaType)
    const maxBytes = Math.min(about.maxBytes ?? settings.fileBytes, settings.fileBytes)
    const origin = { type: 'upload' as const, chain: [], ...about.origin }
    return {
      id: about.id ?? newId('file'),
      name,
      mediaType,
      origin,
      ...(await storage.put(whole, { maxBytes }))
    }
  }

  /** Before anything is read; what counts is decided at the end. */
  async function refuseFull(project: string, owner: string): Promise<void> {
    const used = await fileStore.findUsage({ project, owner })
    if (used.bytes >= most.bytes || used.files >= most.files) throw full()
  }

  const record = (by: Principal, owner: string, received: readonly Received[], key?: string) =>
    transaction(async (trx) => {
      const { project } = by
      const agentId = by.type === 'agent' ? by.id : null
      const files = received.map(({ id, name, mediaType, size, sha256, origin }) => {
        const runId = origin.chain.find(({ type }) => type === 'run')?.id ?? null
        return { project, id, owner, agentId, name, mediaType, size, sha256, runId }
      })
      const bytes = files.reduce((sum, { size }) => sum + size, 0)
      if (!(await fileStore.takeRoom(trx, { project, owner }, { bytes, files: files.length }, most)))
        throw full()
      const rows = await fileStore.insert(trx, files)
      // In one order everywhere, so that no two wait for each other.
      for (const { id, sha256 } of rows.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1)))
        await storage.link(trx, sha256, holderOf(id))
      for (const { id, origin } of received) {
        const row = rows.find((it) => it.id === id) as FileRow
        await facts.record(trx, 'files.uploaded', by, { subject: id, owner, data: { ...shown(row), origin } })
      }
      const upload = { project, principal: principalOf(by), digest: digestOf(received) }
      const fileIds = rows.map(({ id }) => id)
      if (key !== undefined && !(await fileStore.insertUpload(trx, { ...upload, key, fileIds })))
        throw conflict('The first request with this Idempotency-Key is still running', {
          code: 'idempotency_in_progress'
        })
      return rows
    })

  async function repeated(by: Principal, key: string, received: readonly Received[]) {
    const before = await fileStore.findUpload(by.project, principalOf(by), key)
    if (before && before.digest !== digestOf(received))
      throw conflict('The Idempotency-Key was used with another body', { code: 'idempotency_key_reused' })
    return before?.files
  }

  /** What fails here is swept later. */
  async function giveUp(received: readonly PutObject[]): Promise<void> {
    for (const put of received)
      await storage.release(put).catch((error) => log.warn({ err: error }, 'an object was not given up'))
  }

  return { receive }
}

export const holderOf = (fileId: string): string => `files/${fileId}`
export const shown = ({ id, owner, name, mediaType, size, sha256, createdAt }: FileRow): File => {
  return { id, owner, name, mediaType, size, sha256, createdAt }
}

const full = () =>
  insufficientStorage('The quota of files is used up; delete some first', { code: 'quota_exceeded' })
const principalOf = ({ id, owner }: Principal) => JSON.stringify([id, owner])
const digestOf = (received: readonly Received[]) =>
  createHash('sha256')
    .update(JSON.stringify(received.map(({ name, sha256 }) => [name, sha256])))
    .digest('hex')
