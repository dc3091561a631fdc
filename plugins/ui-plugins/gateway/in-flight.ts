import { exhausted } from 'agent-platform'

/** How many calls are under way, on this instance: refused beyond rather than kept waiting, as they may wait for each other. */
export function createInFlight(mostOfApp: number, mostOfCaller: number) {
  const counts = new Map<string, number>()

  function add(key: string, most: number, whose: string): void {
    const count = counts.get(key) ?? 0
    if (count >= most)
      throw exhausted(`${whose} has ${most} calls under way already`, { code: 'too_many_calls' })
    counts.set(key, count + 1)
  }
  function remove(key: string): void {
    const count = counts.get(key) ?? 0
    if (count > 1) counts.set(key, count - 1)
    else counts.delete(key)
  }

  return {
    /** Counts a call until it is disposed of; 429 `too_many_calls`. */
    enter(app: string, caller: string): Disposable {
      add(app, mostOfApp, 'The app')
      try {
        add(caller, mostOfCaller, 'The caller')
      } catch (error) {
        remove(app)
        throw error
      }
      return {
        [Symbol.dispose]() {
          remove(app)
          remove(caller)
        }
      }
    }
  }
}
