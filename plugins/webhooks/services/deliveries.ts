import type { Fact, Kernel, Principal, Trx } from 'agent-platform'
import { newId, notFound } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import { isWanted, PING } from '../events.ts'
import type { Attempt, Delivery, DeliveryQuery, FullDelivery } from '../schemas/deliveries.ts'
import { webhooks } from '../schemas/webhooks.ts'
import type { WebhookSettings } from '../settings.ts'
import type { DeliveryRow, DeliveryStore, NewDelivery } from '../stores/deliveries.ts'
import type { WebhookRow, WebhookStore } from '../stores/webhooks.ts'
import { messageOf } from './messages.ts'
import type { Posts } from './posts.ts'

export type Deliveries = ReturnType<typeof createDeliveries>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'principals' | 'log'> {
  settings: WebhookSettings
  jobs: Jobs
  posts: Posts
  webhookStore: WebhookStore
  deliveryStore: DeliveryStore
}

export const QUEUE = 'webhooks.deliver'
const MINUTE = 60
const HOUR = 3_600
/** Seconds after each failure until it is tried again, as Standard Webhooks advises; then it has failed. */
const BACKOFF = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
/** A job that comes earlier than its time, by clocks that differ, is on time. */
const EARLY_MS = 1_000

interface Job {
  readonly deliveryId: string
}

/** Tells receivers what happened: durably, at least once, under the same id each time. */
export function createDeliveries(deps: Deps) {
  const { knex, transaction, facts, principals, log, settings, jobs, posts } = deps
  const { webhookStore, deliveryStore } = deps

  /** Facts become messages, in the transaction that marks them as handled. */
  async function published(told: readonly Fact[], trx: Trx): Promise<void> {
    for (const [project, those] of Map.groupBy(told, (fact) => fact.project)) {
      const owners = [...new Set(those.map(({ owner }) => owner))]
      const active = await webhookStore.listActive(trx, project, owners)
      const messages = those.flatMap((fact) =>
        active
          .filter(
            ({ scope, owner, types }) =>
              (scope === 'project' || owner === fact.owner) && isWanted(types, fact.name)
          )
          .map((webhook) => messageOf(webhook, fact))
      )
      if (messages.length > 0) await send(trx, messages)
    }
  }

  async function send(trx: Trx, messages: readonly NewDelivery[]): Promise<void> {
    for (const { id } of await deliveryStore.insertAll(trx, messages))
      await jobs.send(QUEUE, { deliveryId: id } satisfies Job, { trx })
  }

  /** Throws only where the outcome could not be noted. */
  async function deliver(id: string, signal: AbortSignal): Promise<void> {
    const delivery = await deliveryStore.find(id)
    if (delivery?.status !== 'pending') return
    if (delivery.nextAt !== null && Date.parse(delivery.nextAt) > Date.now() + EARLY_MS) return
    const webhook = await webhooks.find(knex, delivery.webhookId)
    if (!webhook) return
    const isOff = !webhook.active && delivery.type !== PING
    if (isOff || !(await principals.of(webhook.project, webhook.owner))) {
      const lastError = isOff ? 'The webhook was switched off' : 'Its owner is disabled'
      await transaction((trx) =>
        deliveryStore.update(trx, delivery, { status: 'failed', nextAt: null, lastError })
      )
      return
    }
    const attempt = await posts.post(webhook, delivery, signal)
    signal.throwIfAborted()
    await note(webhook, delivery, attempt)
  }

  /** What came of an attempt, and what is next, together. */
  async function note(webhook: WebhookRow, delivery: DeliveryRow, attempt: Attempt): Promise<void> {
    const isDelivered = attempt.error === null
    const wait = BACKOFF[delivery.tries]
    const isOver = isDelivered || wait === undefined || delivery.type === PING
    const nextAt = isOver ? null : new Date(Date.now() + wait * 1_000)
    await transaction(async (trx) => {
      const now = await deliveryStore.update(trx, delivery, {
        status: isDelivered ? 'delivered' : isOver ? 'failed' : 'pending',
        attempts: delivery.attempts + 1,
        tries: delivery.tries + 1,
        nextAt: nextAt?.toISOString() ?? null,
        deliveredAt: isDelivered ? attempt.at : null,
        lastStatus: attempt.status,
        lastError: attempt.error
      })
      // It was deleted meanwhile.
      if (!now) return
      await deliveryStore.insertAttempt(trx, delivery, attempt)
      if (nextAt) await jobs.send(QUEUE, { deliveryId: delivery.id } satisfies Job, { trx, at: nextAt })
      await judge(trx, webhook, attempt)
    })
  }

  /** One that does nothing but fail for long, or that says it is gone, is switched off. */
  async function judge(
    trx: Trx,
    { project, id, owner }: WebhookRow,
    { status, error, at }: Attempt
  ): Promise<void> {
    const row = await webhooks.lock(trx, { project, id }).catch((cause) => {
      if ((cause as { kind?: string }).kind !== 'notFound') throw cause
    })
    if (!row?.active) return
    if (error === null) {
      if (row.failingSince !== null) await webhookStore.updateState(trx, row, { failingSince: null })
      return
    }
    const failingSince = row.failingSince ?? at
    const isLong = Date.parse(at) - Date.parse(failingSince) >= settings.disableAfterHours * HOUR * 1_000
    if (status !== 410 && !isLong) {
      await webhookStore.updateState(trx, row, { failingSince })
      return
    }
    await webhookStore.updateState(trx, row, { failingSince, active: false, disabledAt: at })
    await deliveryStore.updatePending(trx, project, id, 'The webhook was switched off')
    const by = await principals.of(project, owner)
    if (!by) return
    const reason = status === 410 ? ('gone' as const) : ('failing' as const)
    await facts.record(trx, 'webhooks.disabled', by, { subject: id, owner, data: { id, reason } })
    log.warn({ webhook: id, reason }, 'a webhook was switched off')
  }

  async function find(by: Principal, webhookId: string, id: string, verb: 'read' | 'change') {
    const webhook = await webhooks.owned(knex, by, webhookId, verb)
    const delivery = await deliveryStore.find(id)
    if (delivery?.webhookId !== webhook.id) throw notFound('Delivery')
    return { webhook, delivery }
  }

  async function full(delivery: DeliveryRow): Promise<FullDelivery> {
    const { payload, ...row } = delivery
    const tried = await deliveryStore.listAttempts(delivery.project, delivery.id)
    return { ...shown(row), payload: JSON.parse(payload), tried }
  }

  async function test(by: Principal, webhookId: string, signal: AbortSignal): Promise<FullDelivery> {
    const webhook = await webhooks.owned(knex, by, webhookId, 'change')
    const at = new Date().toISOString()
    const ping = {
      id: newId('fact'),
      name: PING,
      owner: webhook.owner,
      actor: by.id,
      at,
      subject: webhookId,
      data: {}
    }
    const message = messageOf(webhook, ping)
    await transaction((trx) => deliveryStore.insertAll(trx, [message]))
    await deliver(message.id, signal)
    return full((await deliveryStore.find(message.id)) as DeliveryRow)
  }

  async function replay(by: Principal, webhookId: string, id: string): Promise<Delivery> {
    const { delivery } = await find(by, webhookId, id, 'change')
    return transaction(async (trx) => {
      const again = {
        status: 'pending',
        tries: 0,
        nextAt: new Date().toISOString(),
        lastError: null
      } as const
      const row = await deliveryStore.update(trx, delivery, again)
      if (!row) throw notFound('Delivery')
      await jobs.send(QUEUE, { deliveryId: id } satisfies Job, { trx })
      return shown(row)
    })
  }

  const worker: Worker = {
    work: (data, signal) => deliver((data as Job).deliveryId, signal),
    concurrency: 8,
    retries: 20,
    timeoutSeconds: 120
  }
  const cleanUp: Worker = {
    cron: '37 * * * *',
    async work(_data, signal) {
      while (!signal.aborted)
        if ((await transaction((trx) => deliveryStore.removeOld(trx, settings.keepDays, 500))) < 500) return
    }
  }

  return {
    published,
    test,
    replay,
    worker,
    cleanUp,
    async list(by: Principal, webhookId: string, { limit, cursor, ...only }: DeliveryQuery) {
      const { project } = await webhooks.owned(knex, by, webhookId, 'read')
      return deliveryStore.list(project, webhookId, { limit, cursor }, only)
    },
    read: async (by: Principal, webhookId: string, id: string) =>
      full((await find(by, webhookId, id, 'read')).delivery)
  }
}

const shown = ({ project: _, payload: __, tries: ___, ...row }: Partial<DeliveryRow>): Delivery =>
  row as Delivery
