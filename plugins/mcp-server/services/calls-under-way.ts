import type { Principal } from 'agent-platform'
import { exhausted } from 'agent-platform'
import type { McpServerSettings } from '../settings.ts'

export type CallsUnderWay = ReturnType<typeof createCallsUnderWay>

/**
 * How many calls of tools are under way for an owner, on this instance. A call that comes back here by a service outside does not
 * say of what it is a part; but while what it is a part of waits for it, that is counted.
 */
export function createCallsUnderWay({ settings }: { settings: McpServerSettings }) {
  const counts = new Map<string, number>()

  return {
    /** Counts a call until it is disposed of; 429 `too_many_calls`. */
    enter({ project, owner }: Pick<Principal, 'project' | 'owner'>): Disposable {
      const key = JSON.stringify([project, owner])
      const count = counts.get(key) ?? 0
      if (count >= settings.callsPerOwner)
        throw exhausted(`${settings.callsPerOwner} calls of the owner are under way already`, {
          code: 'too_many_calls'
        })
      counts.set(key, count + 1)
      return {
        [Symbol.dispose]() {
          const left = (counts.get(key) ?? 1) - 1
          if (left > 0) counts.set(key, left)
          else counts.delete(key)
        }
      }
    }
  }
}
