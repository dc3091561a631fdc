import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import { notFound, tooLarge, unavailable } from 'agent-platform'
import type { Objects, StoredObject } from '../contract.ts'
import type { Place } from '../drivers/place.ts'
import type { ObjectStore } from '../store.ts'

interface Deps extends Pick<Kernel, 'transaction'> {
  objectStore: ObjectStore
  place: Place
}

/** Bytes by their digest: put, held, read. */
export function createObjectService({ transaction, objectStore, place }: Deps) {
  const put: Objects['put'] = async (source, { maxBytes, signal }) => {
    const driver = await place.driver()
    const [hash, measured] = [createHash('sha256'), { size: 0 }]
    const staged = await driver.stage(measure(source, { maxBytes, signal, hash, measured }))
    try {
      const object = { sha256: hash.digest('hex'), size: measured.size }
      // From here on no sweep takes it: if it lies there, it stays.
      const put = await objectStore.remember(object)
      if (await driver.has(object)) await staged.discard()
      else await staged.commit(object.sha256)
      return put
    } catch (error) {
      await staged.discard().catch(() => undefined)
      throw error
    }
  }

  const release: Objects['release'] = async (put) => {
    const driver = await place.driver()
    await transaction(async (trx) => {
      if (await objectStore.remove(trx, put)) await driver.remove(put.sha256)
    })
  }

  async function link(trx: Trx, sha256: string, holder: string): Promise<void> {
    if (await objectStore.insertReference(trx, sha256, holder)) return
    throw unavailable('What was stored is not there any more; try again', { code: 'object_swept' })
  }

  const open: Objects['open'] = async (sha256, range) => (await place.driver()).open(sha256, range)

  async function read(sha256: string, maxBytes: number): Promise<Buffer> {
    const object = await objectStore.find(sha256)
    if (!object) throw notFound('Object')
    if (object.size > maxBytes) throw beyond(maxBytes)
    const chunks: Buffer[] = []
    for await (const chunk of await open(sha256)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  return {
    put,
    release,
    link,
    unlink: (trx: Trx, holder: string) => objectStore.removeReferences(trx, holder),
    find: (sha256: string): Promise<StoredObject | undefined> => objectStore.find(sha256),
    open,
    read
  } satisfies Objects
}

const beyond = (maxBytes: number) => tooLarge(`More than ${maxBytes} bytes`)

interface Measuring {
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
  readonly hash: Hash
  readonly measured: { size: number }
}

/** The same bytes, counted and digested as they pass. */
async function* measure(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, signal, hash, measured }: Measuring
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    signal?.throwIfAborted()
    measured.size += chunk.length
    if (measured.size > maxBytes) throw beyond(maxBytes)
    hash.update(chunk)
    yield chunk
  }
}
