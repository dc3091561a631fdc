import { createHash } from 'node:crypto'
import { digestOf } from 'agent-platform'
import type { DataStore, Head, Place, StoredItem } from '../stores/data-store.ts'
import { isBefore, isSamePlace } from '../stores/data-store.ts'

const BATCH = 200

interface Copied {
  /** Items that were written or removed. */
  readonly changed: number
}
/** What a store has, in few characters: the same of two that have the same. */
export interface Survey {
  readonly rows: number
  readonly digest: string
}

async function* headsOf(store: DataStore, place: Place): AsyncGenerator<Head, undefined> {
  for (let after: Head | undefined; ; ) {
    const heads = await store.heads(place, after, BATCH)
    yield* heads
    if (heads.length < BATCH) return undefined
    after = heads.at(-1)
  }
}

/**
 * Makes the target have what the source has: looks at all heads of both in the same order, and copies what differs. So it
 * goes on where another one broke off, and a second time copies only what was written meanwhile.
 */
export async function copy(
  place: Place,
  source: DataStore,
  target: DataStore,
  signal: AbortSignal,
  progress: (seen: number) => Promise<void>
): Promise<Copied> {
  let [changed, seen] = [0, 0]
  let wanted: Head[] = []
  let unwanted: Head[] = []
  const flush = async () => {
    signal.throwIfAborted()
    changed += wanted.length + unwanted.length
    await put(place, source, target, wanted)
    await target.drop(place, unwanted)
    wanted = []
    unwanted = []
    await progress(seen)
  }
  const there = headsOf(target, place)
  let theirs = (await there.next()).value
  for await (const head of headsOf(source, place)) {
    for (; theirs && isBefore(theirs, head); theirs = (await there.next()).value) unwanted.push(theirs)
    const isSame = theirs !== undefined && isSamePlace(theirs, head)
    if (!isSame || theirs?.version !== head.version || theirs.digest !== head.digest) wanted.push(head)
    if (isSame) theirs = (await there.next()).value
    seen++
    if (wanted.length >= BATCH || unwanted.length >= BATCH || seen % BATCH === 0) await flush()
  }
  for (; theirs; theirs = (await there.next()).value) unwanted.push(theirs)
  await flush()
  return { changed }
}

/** What is gone meanwhile is looked at the next time. */
async function put(
  place: Place,
  source: DataStore,
  target: DataStore,
  heads: readonly Head[]
): Promise<void> {
  const items = await source.read(place, heads)
  await target.put(place, items)
  const kept = new Map((await target.read(place, items)).map((item) => [nameOf(item), item]))
  for (const item of items) {
    const copied = kept.get(nameOf(item))
    if (copied?.version !== item.version || digestOf(copied.value) !== item.digest)
      throw new Error('What was copied is not what was read')
  }
}

const nameOf = ({ collection, holder, key }: Head | StoredItem) => JSON.stringify([collection, holder, key])

export async function survey(place: Place, store: DataStore, signal: AbortSignal): Promise<Survey> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const { collection, holder, key, version, digest } of headsOf(store, place)) {
    hash.update(`${JSON.stringify([collection, holder, key, version, digest])}\n`)
    if (++rows % BATCH === 0) signal.throwIfAborted()
  }
  return { rows, digest: hash.digest('base64url') }
}
