import type { Kernel, Trx } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Dialect } from '../protocol/dialects.ts'
import { shownTask } from '../protocol/tasks.ts'
import type { PushConfigRow, PushConfigStore } from '../stores/push-configs.ts'
import type { PeerTaskStore } from '../stores/tasks.ts'
import type { PushService } from './push.ts'
import type { TaskViews } from './task-views.ts'

export type PushDeliveries = ReturnType<typeof createPushDeliveries>

interface Deps extends Pick<Kernel, 'principals' | 'log'> {
  jobs: Jobs
  outgoing: Outgoing
  pushService: PushService
  pushConfigStore: PushConfigStore
  peerTaskStore: PeerTaskStore
  taskViews: TaskViews
}

const QUEUE = 'a2a.push'
const TIMEOUT_MS = 10_000
const MOST_BYTES = 65_536
/** As the protocol's own kit calls it. */
const TOKEN = 'x-a2a-notification-token'

interface Job {
  readonly project: string
  readonly configId: string
}

/** Tells clients of their tasks: durably, at least once, by addresses that may be connected to. */
export function createPushDeliveries(deps: Deps) {
  const { principals, log, jobs, outgoing, pushService, pushConfigStore, peerTaskStore, taskViews } = deps

  /** With the transaction in which the tasks changed. */
  async function announce(trx: Trx, project: string, taskIds: readonly string[]): Promise<void> {
    if (taskIds.length === 0) return
    for (const { id: configId } of await pushConfigStore.listOfTasks(trx, project, taskIds))
      await jobs.send(QUEUE, { project, configId } satisfies Job, { trx })
  }

  /** Tells how the task is by now; throws where it is to be tried again. */
  async function deliver({ project, configId }: Job, signal: AbortSignal): Promise<void> {
    const config = await pushConfigStore.find(project, configId)
    const row = config && (await peerTaskStore.find(config.taskId))
    const owner = config && (await principals.of(project, config.owner))
    if (!config || !row || !owner) return
    const dialect = config.protocol as Dialect
    const run = await taskViews.outcomeOf(row, owner)
    const named = { ...row, id: dialect === '0.2' ? (row.externalId ?? row.id) : row.id }
    const task = shownTask(dialect, await taskViews.show(named, run))
    await post(config, dialect === '1.0' ? { task } : task, signal)
  }

  async function post(config: PushConfigRow, body: object, signal: AbortSignal): Promise<void> {
    const { token, authorization } = await pushService.secretOf(config)
    const headers = {
      'content-type': config.protocol === '1.0' ? 'application/a2a+json' : 'application/json',
      ...(token && { [TOKEN]: token }),
      ...(authorization && { authorization })
    }
    const order = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'error', signal } as const
    try {
      const reply = await outgoing.fetch(config.url, {
        ...order,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MOST_BYTES
      })
      await reply.body?.cancel()
      if (reply.ok) return
      if (reply.status !== 410) throw new Error(`The client answered ${reply.status}`)
    } catch (error) {
      if ((error as { code?: string }).code !== 'address_refused') throw error
      log.warn({ config: config.id }, 'a client is not told of its task: its address may not be connected to')
    }
    // It does not want to be told, or cannot be.
    await pushConfigStore.remove(config, config.name)
  }

  const worker: Worker = {
    work: (data, signal) => deliver(data as Job, signal),
    concurrency: 8,
    retries: 10,
    timeoutSeconds: 60
  }

  return { announce, worker }
}
