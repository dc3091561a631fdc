import type { ServerResponse } from 'node:http'
import type { Follower, Sink } from './feeds.ts'
import type { Part } from './part.ts'
import { framesOf } from './part.ts'

/** Bytes that may lie in a connection's buffer: of what is new, and of what is replayed. */
const liveBytes = 1_048_576
const replayedBytes = 65_536

interface Options {
  readonly response: ServerResponse
  readonly numbered: boolean
  /** A keepalive up to its `seq`. */
  readonly keepalive: string
  readonly now: () => number
  /** There is room again. */
  readonly resume: () => void
  /** The connection is gone. */
  readonly closed: () => void
}

export interface Reader extends Sink {
  /** Once its follower is known: keepalives tell where that is. */
  follow(follower: Follower): void
  /** Sends a keepalive, or drops a connection that has been full since before `limit`. */
  beat(limit: number): void
}

const dirty = new Set<() => void>()

// All that a turn brings for one connection is one write.
function schedule(write: () => void) {
  if (!dirty.size) queueMicrotask(writeAll)
  dirty.add(write)
}

function writeAll() {
  const writes = [...dirty]
  dirty.clear()
  for (const write of writes) write()
}

/** One connection that is sent events. */
export function createReader({ response, numbered, keepalive, now, resume, closed }: Options): Reader {
  let pending: Buffer[] = []
  let size = 0
  let follower: Follower | undefined
  let fullSince = 0
  let ending = false

  function write() {
    if (pending.length && !response.destroyed) {
      const [first] = pending
      response.write(pending.length === 1 ? first : Buffer.concat(pending))
    }
    pending = []
    size = 0
    if (ending) response.end()
    else if (fullSince && !response.destroyed) awaitRoom()
  }

  function awaitRoom() {
    if (response.writableNeedDrain) response.once('drain', room)
    else room()
  }

  function room() {
    fullSince = 0
    resume()
  }

  function add(bytes: Buffer) {
    pending.push(bytes)
    size += bytes.length
    schedule(write)
  }

  response.once('close', closed)
  response.on('error', () => response.destroy())

  return {
    push(part: Part, replayed: boolean) {
      add(framesOf(part, numbered))
      if (response.writableLength + size < (replayed ? replayedBytes : liveBytes)) return true
      fullSince ||= now()
      return false
    },
    end() {
      if (ending) return
      ending = true
      schedule(write)
    },
    follow(its) {
      follower = its
    },
    beat(limit) {
      if (fullSince && fullSince < limit) response.destroy()
      else if (!fullSince && !ending && follower) add(Buffer.from(`${keepalive}${follower.at}}\n\n`))
    }
  }
}
