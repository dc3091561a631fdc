import { createHash } from 'node:crypto'
import type { Kernel, Principal } from 'agent-platform'
import { digestOf, forbidden, invalid, mayReach, unavailable } from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Given } from '../protocol/content.ts'
import type { UploadStore } from '../stores/uploads.ts'
import { actingAs } from './acting.ts'

export type Uploads = ReturnType<typeof createUploads>

interface Deps extends Pick<Kernel, 'transaction'> {
  files: Files | undefined
  outgoing: Outgoing | undefined
  uploadStore: UploadStore
}

const MOST = 20
const MOST_BYTES = 20 * 1_048_576

/** Files that come within messages. A client that sends its history again sends them again: they are kept once. */
export function createUploads({ transaction, files, outgoing, uploadStore }: Deps) {
  const off = (what: string, param: string) =>
    unavailable(`Files in messages need ${what}, which is not installed or off`, {
      code: 'capability_missing',
      param
    })

  /** The files that they are, once each, in order. */
  async function hold(by: Principal, given: readonly Given[], expiresAt: string | null): Promise<string[]> {
    const [first] = given
    if (!first) return []
    // A file belongs to its owner, and not to an agent.
    if (by.attenuation?.agents)
      throw forbidden('Files are not for a token which is for some agents', {
        param: first.param,
        code: 'token_refused'
      })
    if (given.length > MOST) throw invalid(first.param, `At most ${MOST} files may come with a request`)
    const found = new Set<string>()
    for (const file of given) found.add(await keep(by, file, expiresAt))
    return [...found]
  }

  async function keep(by: Principal, file: Given, expiresAt: string | null): Promise<string> {
    if (!files) throw off('files', file.param)
    if (file.from === 'file') return (await files.find(by, file.fileId, 'read', file.param)).id
    const { bytes, name, mediaType } = file.from === 'url' ? await fetched(by, file) : file
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const key = { project: by.project, owner: by.owner, digest: digestOf([sha256, name, mediaType]) }
    const known = await uploadStore.take(key, expiresAt)
    if (known && (await files.find(by, known, 'read').catch(() => undefined))) return known
    const origin = { type: 'internal', chain: [] } as const
    const stored = await files.store(by, one(bytes), { name, mediaType, origin })
    await uploadStore.insert({ ...key, fileId: stored.id, expiresAt })
    return stored.id
  }

  async function fetched(by: Principal, { url, param }: Extract<Given, { from: 'url' }>) {
    if (!outgoing) throw off('outgoing', param)
    const address = outgoing.check(url, param)
    const reply = await outgoing
      .fetch(address, { maxBytes: MOST_BYTES, may: (to) => mayReach(by, to) })
      .catch((error) => {
        if ((error as { code?: unknown }).code === 'host_not_allowed')
          throw forbidden('The token does not let that host be connected to', {
            param,
            code: 'host_not_allowed'
          })
        throw invalid(param, `${param} could not be read: ${(error as Error).message}`)
      })
    if (!reply.ok) throw invalid(param, `${param} answered ${reply.status}`)
    const bytes = Buffer.from(
      await reply.arrayBuffer().catch((error) => {
        throw invalid(param, `${param} could not be read: ${(error as Error).message}`)
      })
    )
    const name = decodeURIComponent(address.pathname.split('/').at(-1) ?? '') || 'file'
    const mediaType = reply.headers.get('content-type')?.split(';')[0] ?? 'application/octet-stream'
    return { bytes, name, mediaType }
  }

  /** Files that nothing needs any more go; true: there may be more of them. */
  async function removeExpired(): Promise<boolean> {
    const expired = await uploadStore.listExpired(100)
    for (const upload of expired) {
      const { project, owner, fileId } = upload
      await transaction(async (trx) =>
        files?.remove(trx, actingAs({ project, owner }), { project, owner, id: fileId })
      )
      await uploadStore.remove(upload)
    }
    return expired.length === 100
  }

  return { hold, removeExpired }
}

async function* one(bytes: Uint8Array) {
  yield bytes
}
