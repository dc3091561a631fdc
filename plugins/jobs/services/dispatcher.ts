import type { Kernel } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { Deliveries } from './delivery.ts'
import { createDeliver } from './delivery.ts'
import type { JobRuntime, RuntimeDeps } from './runtime.ts'
import { openRuntime } from './runtime.ts'

export type Dispatcher = ReturnType<typeof createDispatcher>

/** To be raised when what is shared changes its shape, or what it does. */
const VERSION = 2

/** A generation's part: it opens the runtime or finds it open, and runs the jobs that come in its time. */
export function createDispatcher(deps: RuntimeDeps & Pick<Kernel, 'shared'>) {
  const { shared, settings, points } = deps
  const run = createDeliver(points)
  let deliveries: Deliveries = new Map()
  let runtime: JobRuntime | undefined

  return {
    async open(): Promise<void> {
      // Of its own: other settings open another runtime beside the one that goes.
      deliveries = await shared(
        `deliveries.${VERSION}`,
        async () => new Map(),
        async () => undefined
      )
      runtime = await shared(
        `runtime.${VERSION} ${JSON.stringify(settings)}`,
        () => openRuntime(deps, deliveries),
        (it) => it.close()
      )
    },

    runtime(): JobRuntime {
      if (!runtime) throw unavailable('Jobs are not open yet', { code: 'starting' })
      return runtime
    },

    async deliver(id: string, handOver: AbortSignal): Promise<'done'> {
      const delivery = deliveries.get(id)
      if (delivery) await run(delivery, handOver)
      return 'done'
    }
  }
}
