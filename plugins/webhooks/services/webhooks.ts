import { randomBytes } from 'node:crypto'
import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, invalid, newId, pageOf } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import { isKnownType, PING, publicEvents, publicNames } from '../events.ts'
import type { NewWebhook, Webhook, WebhookChanges } from '../schemas/webhooks.ts'
import { webhooks } from '../schemas/webhooks.ts'
import type { WebhookSettings } from '../settings.ts'
import type { DeliveryStore } from '../stores/deliveries.ts'
import type { WebhookRow, WebhookStore } from '../stores/webhooks.ts'

export type WebhookService = ReturnType<typeof createWebhookService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'vault'> {
  settings: WebhookSettings
  outgoing: Outgoing
  webhookStore: WebhookStore
  deliveryStore: DeliveryStore
}

const HOUR_MS = 3_600_000

/** As Standard Webhooks writes it. */
const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Webhooks as their owners have them. */
export function createWebhookService(deps: Deps) {
  const { knex, transaction, facts, vault, settings, outgoing, webhookStore, deliveryStore } = deps
  const sealing = vault.at('webhooks.webhook', 'secret')
  const previous = vault.at('webhooks.webhook', 'previousSecret')

  async function create(by: Principal, { url, types, description = null, active = true }: NewWebhook) {
    const { href } = outgoing.check(url, '/url')
    refuseUnknown(types)
    const id = newId('webhook')
    const { project, owner } = by
    const secret = makeSecret()
    const sealed = await sealing.seal(project, id, secret)
    const scope = by.type === 'service' && !by.initiator ? ('project' as const) : ('owner' as const)
    const row = await transaction(async (trx) => {
      if ((await webhookStore.countOwn(trx, by)) >= settings.most)
        throw conflict(`An owner has at most ${settings.most} webhooks`, { code: 'too_many' })
      const made = {
        id,
        project,
        owner,
        url: href,
        types: [...new Set(types)],
        description,
        active,
        scope,
        secret: sealed
      }
      const row = await webhooks.insert(trx, made)
      await facts.record(trx, 'webhooks.created', by, { subject: id, owner, data: told(row) })
      return row
    })
    return { ...shown(row), secret }
  }

  async function list(by: Principal, page: Paging) {
    const { data, nextCursor } = await webhooks.list(knex, by, page)
    return { data: data.map(shown), nextCursor }
  }

  const read = async (by: Principal, id: string) => shown(await webhooks.owned(knex, by, id, 'read'))

  async function update(by: Principal, id: string, changes: WebhookChanges, version?: number) {
    const found = await webhooks.owned(knex, by, id, 'change')
    if (changes.types) refuseUnknown(changes.types)
    const url = changes.url === undefined ? undefined : outgoing.check(changes.url, '/url').href
    return transaction(async (trx) => {
      const wanted = { ...changes, ...(url !== undefined && { url }) }
      const { row, isChanged } = await webhooks.update(trx, found, wanted, version)
      if (!isChanged) return shown(row)
      await facts.record(trx, 'webhooks.updated', by, { subject: id, owner: row.owner, data: told(row) })
      if (changes.active === false)
        await deliveryStore.updatePending(trx, row.project, id, 'The webhook was switched off')
      if (changes.active !== true) return shown(row)
      await webhookStore.updateState(trx, row, { failingSince: null, disabledAt: null })
      return { ...shown(row), failingSince: null, disabledAt: null }
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await webhooks.owned(knex, by, id, 'change')
    await transaction(async (trx) => {
      await webhooks.remove(trx, found, version)
      await facts.record(trx, 'webhooks.deleted', by, { subject: id, owner: found.owner, data: { id } })
    })
    return { id, deleted: true as const }
  }

  /** The one before is good for as long as is said, so that receivers can be changed meanwhile. */
  async function rotate(by: Principal, id: string, overlapHours = settings.overlapHours) {
    const found = await webhooks.owned(knex, by, id, 'change')
    const { project, owner } = found
    const secret = makeSecret()
    const before = await secretsOf(found)
    const until = overlapHours === 0 ? null : new Date(Date.now() + overlapHours * HOUR_MS).toISOString()
    const sealed = {
      secret: await sealing.seal(project, id, secret),
      previousSecret: until === null ? null : await previous.seal(project, id, before[0] as string),
      previousSecretUntil: until
    }
    return transaction(async (trx) => {
      const row = await webhooks.lock(trx, found)
      await webhookStore.updateSecrets(trx, row, sealed)
      await facts.record(trx, 'webhooks.secret_rotated', by, { subject: id, owner, data: { id } })
      return { ...shown(row), previousSecretUntil: until, secret }
    })
  }

  /** All that a message is signed by. */
  async function secretsOf({ project, id, previousSecretUntil }: WebhookRow): Promise<readonly string[]> {
    const sealed = await webhookStore.findSecrets({ project, id })
    if (!sealed) return []
    const isGood = previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now()
    return [
      await sealing.open(project, id, sealed.secret),
      ...(isGood && sealed.previousSecret !== null
        ? [await previous.open(project, id, sealed.previousSecret)]
        : [])
    ]
  }

  const eventTypes = (page: Paging) =>
    pageOf(
      'webhooks.types',
      [
        { type: PING, summary: 'A test', schema: { type: 'object', properties: {} } },
        ...publicNames.map((type) => ({
          type,
          summary: publicEvents[type].summary,
          schema: JSON.parse(JSON.stringify(publicEvents[type].data))
        }))
      ],
      page
    )

  return { create, list, read, update, remove, rotate, secretsOf, eventTypes }
}

function refuseUnknown(types: readonly string[]): void {
  for (const [index, type] of types.entries())
    if (!isKnownType(type))
      throw invalid(`/types/${index}`, `There is no event ${type}: GET /v1/webhooks/event-types`)
}

const shown = ({ project: _, ...row }: WebhookRow): Webhook => row
const told = ({ id, types, active, version }: WebhookRow) => ({ id, types, active, version })
