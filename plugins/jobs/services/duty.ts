import type { Kernel } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { Deliveries } from './delivery.ts'
import { createDeliver } from './delivery.ts'
import type { Desk, DeskDeps } from './desk.ts'
import { openDesk } from './desk.ts'

export type DutyService = ReturnType<typeof createDutyService>

/** To be raised when what is shared changes its shape, or what it does. */
const VERSION = 1

/** A generation's part: it opens the desk or finds it open, and runs the jobs that come in its time. */
export function createDutyService(deps: DeskDeps & Pick<Kernel, 'shared'>) {
  const { shared, settings, points } = deps
  const run = createDeliver(points)
  let deliveries: Deliveries = new Map()
  let desk: Desk | undefined

  return {
    async open(): Promise<void> {
      // Of its own: other settings open another desk beside the one that goes.
      deliveries = await shared(
        `deliveries.${VERSION}`,
        async () => new Map(),
        async () => undefined
      )
      desk = await shared(
        `desk.${VERSION} ${JSON.stringify(settings)}`,
        () => openDesk(deps, deliveries),
        (it) => it.close()
      )
    },

    desk(): Desk {
      if (!desk) throw unavailable('Jobs are not open yet', { code: 'starting' })
      return desk
    },

    async deliver(id: string, handOver: AbortSignal): Promise<'done'> {
      const delivery = deliveries.get(id)
      if (delivery) await run(delivery, handOver)
      return 'done'
    }
  }
}
