import type { Kernel } from 'agent-platform'
import type { Installation } from '../contract.ts'
import { createFlush } from '../logs/flush.ts'
import type { ConnectionStore, ConnectionUse } from '../stores/connections.ts'

export type ConnectionUses = ReturnType<typeof createConnectionUses>

const FLUSH_MS = 1_000

/** When connections were used last: written together, some time after. */
export function createConnectionUses({
  log,
  connectionStore
}: Pick<Kernel, 'log'> & { connectionStore: ConnectionStore }) {
  let noted = new Map<string, ConnectionUse>()
  const flush = createFlush(FLUSH_MS, log, async () => {
    const uses = noted
    noted = new Map()
    if (uses.size > 0) await connectionStore.updateUses([...uses.values()])
  })

  return {
    note({ project, id: appId }: Installation, key: string, failure: string | null): void {
      const place = `${appId}/${key}`
      const usedAt = new Date()
      const before = noted.get(place)
      noted.set(place, {
        project,
        appId,
        key,
        usedAt,
        failedAt: failure === null ? (before?.failedAt ?? null) : usedAt,
        failure: failure ?? before?.failure ?? null
      })
      flush.soon()
    },
    flush: flush.now,
    close: flush.close
  }
}
