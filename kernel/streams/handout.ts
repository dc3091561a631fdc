import type { createBuffer } from './buffer.ts'
import { lostFailure } from './lost.ts'
import { oneChunk } from './record.ts'
import type { Chunk, Row, Writer } from './stream.ts'

/** What a writer does for the chunks that it hands out. */
interface Port {
  /** Throws when nothing may be appended. */
  writable(): void
  /** Resolves when no automatic write is in flight. */
  landed(): Promise<void>
  ending(is: boolean): void
  cut(): Row
  settled(row: Row): void
  lose(): void
  /** Flush what is queued. */
  wanted(): void
  find(row: Row): Promise<'own' | 'foreign' | 'none'>
}

/** The chunks of one writer that its owner commits, one at a time; the automatic flush is held meanwhile. */
export function createHandout(buffer: ReturnType<typeof createBuffer>, port: Port) {
  let held: PromiseWithResolvers<void> | undefined

  function free() {
    const was = held
    held = undefined
    was?.resolve()
  }

  async function hold() {
    while (held) await held.promise
    port.writable()
    held = Promise.withResolvers<void>()
    try {
      await port.landed()
      port.writable()
    } catch (error) {
      free()
      throw error
    }
  }

  function handedOut(row: Row, event: boolean): Chunk {
    const mine = held
    const once = (work: () => void) => () => {
      if (held !== mine) return
      free()
      work()
    }
    const settled = once(() => port.settled(row))
    const refused = once(() => port.lose())
    const failed = once(() => {
      if (event && buffer.events) return port.lose()
      if (row.ended) port.ending(false)
      buffer.restore(row, event ? 1 : 0)
      port.wanted()
    })
    async function unsure() {
      const found = await port.find(row)
      if (found === 'none') return false
      if (found === 'own') {
        settled()
        return true
      }
      refused()
      throw lostFailure()
    }
    return { row, fragment: oneChunk(row), settled, refused, failed, unsure }
  }

  return {
    get held() {
      return held !== undefined
    },
    free,
    chunk: (async ({ ended = false, event } = {}) => {
      await hold()
      try {
        if (event) buffer.append(event)
        if (buffer.empty) throw new Error('There is nothing to write')
      } catch (error) {
        free()
        port.wanted()
        throw error
      }
      if (ended) port.ending(true)
      return handedOut(port.cut(), event !== undefined)
    }) satisfies Writer['chunk']
  }
}
