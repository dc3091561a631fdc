import { LRUCache } from 'lru-cache'
import type { Signals } from './signals.ts'

const MAX_ENTRIES = 10_000

/** Values by key, each loaded when it is first asked for. */
export interface Remembered<T> extends Disposable {
  of(key: string): Promise<T>
  /** After the commit of a change: no longer kept here when this returns, on other instances soon. */
  changed(key: string): void
}
/** For packs: with the kernel's signals. */
export type Remember = <T>(
  topic: string,
  load: (key: string) => Promise<T>,
  believeMs?: number
) => Remembered<T>

/**
 * Keeps what `load` gives until a change is signalled on `topic`, at most for `believeMs`, since a signal may be lost.
 * While signals of other instances cannot be heard nothing is kept, and a load that failed never is.
 */
export function createRemember(signals: Pick<Signals, 'send' | 'on' | 'connected' | 'onChange'>): Remember {
  return (topic, load, believeMs = 0) => {
    const known = new LRUCache<string, ReturnType<typeof load>>({ max: MAX_ENTRIES, ttl: believeMs })
    const hearing = signals.on(topic, (key) => void known.delete(String(key)))
    const watching = signals.onChange((connected) => connected || known.clear())
    return {
      of(key) {
        if (!signals.connected) return load(key)
        const found = known.get(key)
        if (found) return found
        // A query of knex is a thenable that runs anew for each that waits for it.
        const asked = Promise.resolve(load(key))
        known.set(key, asked)
        asked.catch(() => known.peek(key) === asked && known.delete(key))
        return asked
      },
      changed: (key) => signals.send(topic, key),
      [Symbol.dispose]() {
        hearing[Symbol.dispose]()
        watching[Symbol.dispose]()
      }
    }
  }
}
