import { setTimeout as delay } from 'node:timers/promises'
import type { Key, News, Part, Record } from './record.ts'
import { keyOf } from './record.ts'
import type { Queue } from './writer.ts'

/** Parts that a reader may leave behind before it is fed from the record instead. */
const ahead = 16
/** Milliseconds until the record is asked again that did not answer, or did not know the stream. */
const pause = 250

/** A stream that is followed in this process. */
interface Feed extends Key {
  /** The greatest `seq` that is known to be durable. */
  last: number
  readonly followers: Set<Follower>
  /** What was told without its events, while they are read once for all followers. */
  told: { seq: number; last: number } | undefined
}

export interface Follower {
  /** What lies behind `after`, then whatever follows, until the stream ends or `close`. To be read once. */
  readonly parts: AsyncIterable<Part>
  /** Takes what became durable; it may leave gaps. */
  hear(part: Part | undefined): void
  close(): void
}

interface Options {
  readonly record: Pick<Record, 'tail' | 'states'>
  readonly writerOf: (key: Key) => Queue | undefined
  /** Tells the process of its writer that someone follows a stream. */
  readonly announce: (key: Key) => void
}

/** The readers of this process, by stream. */
export function createFeeds({ record, writerOf, announce }: Options) {
  const feeds = new Map<string, Feed>()
  let checking = false

  function feedOf(key: Key): Feed {
    const known = feeds.get(keyOf(key))
    if (known) return known
    const feed: Feed = { ...key, last: -1, followers: new Set(), told: undefined }
    feeds.set(keyOf(key), feed)
    if (!writerOf(key)) announce(key)
    return feed
  }

  function follow(key: Key, after: number): Follower {
    const feed = feedOf(key)
    const writer = writerOf(key)
    writer?.watch()
    feed.last = Math.max(feed.last, writer?.durable ?? -1)
    let at = after
    let waiting: Part[] = writer?.recent ? [writer.recent] : []
    /** Whether it is known how far the stream goes. */
    let asked = writer !== undefined && after <= writer.durable
    let closed = false
    let wake = () => {}

    async function page(): Promise<readonly Part[]> {
      const told = feed.last
      try {
        const { part, tip } = await record.tail(key, at)
        feed.last = Math.max(feed.last, tip)
        // It was removed, or what comes next is not kept any more.
        if (tip < told || (part && part.seq > at + 1)) follower.close()
        asked = tip >= 0
        if (asked) return part ? [part] : []
      } catch {
        // It is asked again.
      }
      await delay(pause)
      return []
    }

    async function next(): Promise<readonly Part[]> {
      if (waiting.length) return waiting.splice(0)
      if (!asked || at < feed.last) return page()
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      return []
    }

    async function* read() {
      try {
        while (!closed) {
          for (const part of await next()) {
            if (closed || part.seq > at + 1) break
            const from = at
            at = Math.max(at, part.last)
            if (at > from) yield behind(part, from)
            if (part.ended) return
          }
        }
      } finally {
        follower.close()
      }
    }

    const follower: Follower = {
      parts: read(),
      hear(part) {
        if (waiting.length === ahead) waiting = []
        else if (part) waiting.push(part)
        wake()
      },
      close() {
        closed = true
        feed.followers.delete(follower)
        if (!feed.followers.size && feeds.get(keyOf(key)) === feed) feeds.delete(keyOf(key))
        wake()
      }
    }
    feed.followers.add(follower)
    return follower
  }

  function deliver({ seq, last, ended, body, ...key }: News): void {
    const feed = feeds.get(keyOf(key))
    if (!feed) return
    if (body === undefined && last > feed.last && feed.followers.size > 1) {
      tell(feed, { seq, last })
      return
    }
    feed.last = Math.max(feed.last, last)
    const part = body === undefined ? undefined : { seq, last, ended, body }
    for (const follower of feed.followers) follower.hear(part)
  }

  /** Each follower would ask the record for the same. */
  function tell(feed: Feed, { seq, last }: Pick<Part, 'seq' | 'last'>): void {
    const isReading = feed.told !== undefined
    feed.told = { seq: Math.min(seq, feed.told?.seq ?? seq), last: Math.max(last, feed.told?.last ?? last) }
    if (!isReading) void read(feed)
  }

  async function read(feed: Feed): Promise<void> {
    while (feed.told) {
      const { seq, last } = feed.told
      const { part } = await record.tail(feed, seq - 1).catch(() => ({ part: undefined }))
      // What did not come is left to each follower.
      const isMore = part !== undefined && part.last < feed.told.last
      feed.last = Math.max(feed.last, part?.last ?? last)
      feed.told = isMore ? { seq: part.last + 1, last: feed.told.last } : undefined
      for (const follower of feed.followers) follower.hear(part)
    }
  }

  return {
    follow,
    deliver,
    /** Whether this process has readers of that stream. */
    has: (key: Key): boolean => feeds.has(keyOf(key)),
    /** The stream was removed: its readers are let go. */
    drop(key: Key): void {
      for (const follower of feeds.get(keyOf(key))?.followers ?? []) follower.close()
    },
    /** Looks into the record for what no notification told; one query for all streams that are followed. */
    async check(): Promise<void> {
      if (checking || !feeds.size) return
      checking = true
      const found = await record.states([...feeds.values()]).catch(() => [])
      checking = false
      for (const news of found) deliver(news)
    }
  }
}
export type Feeds = ReturnType<typeof createFeeds>

/** The part behind `after`. */
function behind(part: Part, after: number): Part {
  if (part.seq > after) return part
  let start = 0
  for (let seq = part.seq; seq <= after; seq++) start = part.body.indexOf('\n', start) + 1
  return { ...part, seq: after + 1, body: part.body.slice(start) }
}
