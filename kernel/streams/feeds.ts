import type { Part } from './part.ts'
import { behind } from './part.ts'
import type { Record } from './record.ts'
import { keyOf } from './record.ts'
import type { Row } from './stream.ts'
import type { Queue } from './writer.ts'

/** Where a reader's events go. */
export interface Sink {
  /** Takes the part. False when it is full: call the follower's `resume` once there is room again. */
  push(part: Part, replayed: boolean): boolean
  /** Nothing follows: the stream has ended, or it was removed. */
  end(): void
}

export interface Follower {
  /** `seq` of the last event that was pushed. */
  at: number
  state: 'live' | 'reading' | 'full' | 'stalled' | 'closed'
  /** Goes on with the page that was read, once there is room for it. */
  more?: () => void
  readonly feed: Feed
  readonly sink: Sink
}

interface Feed {
  readonly project: string
  readonly stream: string
  /** The greatest `seq` that is known to be durable. */
  last: number
  readonly followers: Set<Follower>
}

/** What became durable: without a body where it did not fit into the notification. */
export type News = Pick<Row, 'project' | 'stream' | 'seq' | 'last' | 'ended'> & { readonly body?: string }

interface Options {
  readonly record: Pick<Record, 'tail' | 'states'>
  readonly writerOf: (key: string) => Queue | undefined
  /** Tells the process of its writer that someone follows a stream. */
  readonly announce: (project: string, stream: string) => void
}

// A new object, so that the readers' bytes go with them.
const partOf = ({ seq, last, ended, body }: News): Part | undefined =>
  body === undefined ? undefined : { seq, last, ended, body }
const isReading = (follower: Follower) => follower.state === 'reading'

/** The readers of this process, by stream. Who is behind, or too slow, is fed from the record. */
export function createFeeds({ record, writerOf, announce }: Options) {
  const feeds = new Map<string, Feed>()
  const stalled = new Set<Follower>()
  let checking = false

  /** False when the sink is full now. */
  function offer(follower: Follower, part: Part): boolean {
    let room = true
    if (part.last > follower.at) {
      const rest = behind(part, follower.at)
      follower.at = rest.last
      room = follower.sink.push(rest, follower.state === 'reading')
    }
    if (part.ended) finish(follower)
    return room
  }

  function hear(follower: Follower, { last, seq }: Pick<News, 'seq' | 'last'>, part: Part | undefined) {
    if (last <= follower.at) return
    if (!part || seq > follower.at + 1) catchUp(follower)
    else if (!offer(follower, part) && follower.state === 'live') follower.state = 'full'
  }

  function catchUp(follower: Follower) {
    if (follower.state === 'closed' || follower.state === 'reading') return
    follower.state = 'reading'
    read(follower).catch(() => {
      if (follower.state === 'closed') return
      follower.state = 'stalled'
      stalled.add(follower)
    })
  }

  async function read(follower: Follower) {
    const { feed } = follower
    let again = true
    while (again && isReading(follower)) {
      const { rows, tip } = await record.tail(feed.project, feed.stream, follower.at)
      feed.last = Math.max(feed.last, tip)
      for (const row of rows) {
        if (!offer(follower, row)) await room(follower)
        if (!isReading(follower)) return
      }
      again = follower.at < feed.last && rows.length > 0
    }
    if (!isReading(follower)) return
    if (follower.at < feed.last) throw new Error('The record has a gap')
    follower.state = 'live'
  }

  function room(follower: Follower): Promise<void> {
    if (!isReading(follower)) return Promise.resolve()
    return new Promise((resolve) => {
      follower.more = resolve
    })
  }

  function finish(follower: Follower) {
    if (follower.state === 'closed') return
    close(follower)
    follower.sink.end()
  }

  function close(follower: Follower) {
    follower.state = 'closed'
    follower.more?.()
    stalled.delete(follower)
    const { feed } = follower
    feed.followers.delete(follower)
    const key = keyOf(feed)
    if (!feed.followers.size && feeds.get(key) === feed) feeds.delete(key)
  }

  function feedOf(project: string, stream: string): Feed {
    const key = keyOf({ project, stream })
    const known = feeds.get(key)
    if (known) return known
    const feed: Feed = { project, stream, last: -1, followers: new Set() }
    feeds.set(key, feed)
    if (!writerOf(key)) announce(project, stream)
    return feed
  }

  function deliver(news: News): void {
    const feed = feeds.get(keyOf(news))
    if (!feed) return
    feed.last = Math.max(feed.last, news.last)
    const part = partOf(news)
    for (const follower of feed.followers) if (follower.state === 'live') hear(follower, news, part)
  }

  return {
    deliver,
    /** Whether this process has readers of that stream. */
    has: (key: string): boolean => feeds.has(key),
    /** Pushes what lies behind `after`, and whatever follows. */
    follow(project: string, stream: string, after: number, sink: Sink): Follower {
      const feed = feedOf(project, stream)
      const follower: Follower = { at: after, state: 'live', feed, sink }
      feed.followers.add(follower)
      const writer = writerOf(keyOf(feed))
      writer?.watch()
      const recent = writer?.recent && partOf(writer.recent)
      if (recent && recent.seq <= after + 1 && after <= recent.last) hear(follower, recent, recent)
      else if (writer?.durable !== after) catchUp(follower)
      return follower
    },
    /** The sink has room again. */
    resume(follower: Follower): void {
      const { more } = follower
      follower.more = undefined
      more?.()
      if (follower.state !== 'full') return
      if (follower.at < follower.feed.last) catchUp(follower)
      else follower.state = 'live'
    },
    close,
    /** The stream was removed: its readers are let go. */
    drop(key: string): void {
      for (const follower of feeds.get(key)?.followers ?? []) finish(follower)
    },
    /** Tries those again whose reading failed. */
    retry(): void {
      const waiting = [...stalled]
      stalled.clear()
      for (const follower of waiting) catchUp(follower)
    },
    /** Looks into the record for what no notification told; one query for all streams that are followed. */
    async check(): Promise<void> {
      if (checking || !feeds.size) return
      checking = true
      try {
        for (const news of await record.states([...feeds.values()])) deliver(news)
      } catch {
        // The next check will tell.
      } finally {
        checking = false
      }
    }
  }
}
export type Feeds = ReturnType<typeof createFeeds>
