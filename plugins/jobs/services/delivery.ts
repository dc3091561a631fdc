import type { Kernel } from 'agent-platform'
import { workersOf } from './workers.ts'

/** A job on its way to the worker of its queue. */
export interface Delivery {
  readonly queue: string
  readonly data: object
  readonly signal: AbortSignal
  abort(): void
  /** `unserved`: by no pack that is on. `handed over`: stopped because its generation, or the process, ends. */
  outcome: 'untaken' | 'taken' | 'done' | 'unserved' | 'handed over'
}

export type Deliveries = Map<string, Delivery>

export function createDelivery(queue: string, data: object | null): Delivery {
  const controller = new AbortController()
  const { signal } = controller
  return { queue, data: data ?? {}, signal, abort: () => controller.abort(), outcome: 'untaken' }
}

/** Runs a job in the generation that is current when it comes, which stays until the job is over. */
export const createDeliver =
  (points: Kernel['points']) =>
  async (delivery: Delivery, handOver: AbortSignal): Promise<void> => {
    const worker = workersOf(points).get(delivery.queue)
    delivery.outcome = worker ? 'taken' : 'unserved'
    if (!worker) return
    if (handOver.aborted) delivery.abort()
    handOver.addEventListener('abort', delivery.abort)
    try {
      await worker.work(delivery.data, delivery.signal)
      delivery.outcome = 'done'
    } catch (error) {
      if (!handOver.aborted) throw error
      delivery.outcome = 'handed over'
    } finally {
      handOver.removeEventListener('abort', delivery.abort)
    }
  }
