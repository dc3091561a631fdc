import type { Kernel } from 'agent-platform'
import type { Holding } from './holding.ts'
import type { Transitions } from './transitions.ts'

export type Refusals = ReturnType<typeof createRefusals>

const MINUTE_MS = 60_000
/** Hosts of one computer that are named within a minute. */
const HOSTS = 20
export const OTHERS = 'and others'

/**
 * What computers were refused to reach, as events: each host once a minute, and not more than so many of them, so that a program
 * that asks without end costs the platform a look into memory.
 */
export function createRefusals({
  transaction,
  holding,
  transitions
}: Pick<Kernel, 'transaction'> & { holding: Holding; transitions: Transitions }) {
  const noted = new Map<string, { readonly since: number; readonly hosts: Set<string> }>()

  function isNew(id: string, host: string): boolean {
    const now = Date.now()
    let known = noted.get(id)
    if (!known || now - known.since >= MINUTE_MS) {
      for (const [other, { since }] of noted) if (now - since >= MINUTE_MS) noted.delete(other)
      known = { since: now, hosts: new Set() }
      noted.set(id, known)
    }
    if (known.hosts.size > HOSTS || known.hosts.has(host)) return false
    known.hosts.add(host)
    return true
  }

  return {
    async note(id: string, host: string): Promise<void> {
      const slot = holding.slots().get(id)
      const name = host.slice(0, 260)
      if (!slot?.running || !isNew(id, name)) return
      const reason = (noted.get(id)?.hosts.size ?? 0) > HOSTS ? OTHERS : name
      await transaction((trx) => transitions.note(trx, slot.row, 'egress_refused', reason)).catch(
        () => undefined
      )
    }
  }
}
