import type { IncomingHttpHeaders } from 'node:http'
import type { Kernel, Principal } from 'agent-platform'
import { digestOf, evaluateTemplate, notFound } from 'agent-platform'
import type { ExecutionEvents } from '../events/execution-events.ts'
import type { ExecutionStarts } from '../executions/starts.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import type { Executable } from '../stores/starts.ts'
import type { Addressed, WebhookStore } from '../stores/webhooks.ts'
import type { WebhookEvent } from '../webhooks/events.ts'
import { eventOf } from '../webhooks/events.ts'
import type { Payload } from '../webhooks/payloads.ts'
import { bodyOf, deliveryIdOf, headersOf } from '../webhooks/payloads.ts'
import { checkSignature } from '../webhooks/signatures.ts'
import { idOf, isToken } from '../webhooks/tokens.ts'
import type { WebhookService } from './webhooks.ts'

export type DeliveryService = ReturnType<typeof createDeliveryService>

interface Deps extends Pick<Kernel, 'limits'> {
  webhookStore: WebhookStore
  webhookService: WebhookService
  executionStore: ExecutionStore
  executionStarts: ExecutionStarts
  executionEvents: ExecutionEvents
}

/** What comes to a webhook. */
interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly query: Readonly<Record<string, unknown>>
  readonly bytes: Buffer | undefined
  readonly method: string
}

export interface Admitted extends Addressed {
  readonly owner: Principal
}

const unknown = () => notFound('Webhook')

/** What comes to webhooks: it begins executions, or is an event for one that waits. */
export function createDeliveryService(deps: Deps) {
  const { limits, webhookStore, webhookService, executionStore, executionStarts, executionEvents } = deps

  /**
   * The webhook whose token that is, and its owner; one and the same 404, after the same question, for tokens that are
   * unknown or no longer good, and where the owner is disabled. By the record, so that a rotation holds at once.
   */
  async function admit(token: string): Promise<Admitted> {
    const found = await webhookStore.find(idOf(token))
    const isGood = isToken(token, found?.webhook.hash)
    const owner = found?.workflow.principal
    if (!owner || !isGood) throw unknown()
    return { ...found, owner }
  }

  /** An event, or an execution that it begins in the owner's name; a delivery of a known id is the same again. */
  async function accept(
    by: Principal,
    { webhook, workflow, owner }: Admitted,
    { headers, query, bytes, method }: Delivery
  ) {
    const { sealed, mapping } = webhook
    await limits.agent(by, workflow.id, 'workflow')
    if (sealed !== null)
      checkSignature(await webhookService.openSecret(webhook, sealed), headers, bytes ?? Buffer.alloc(0))
    const body = bodyOf(bytes, headers)
    const payload: Payload = { body, headers: headersOf(headers), query, method }
    const id = deliveryIdOf(headers)
    const key = id === undefined ? undefined : `webhook:${digestOf([workflow.id, id])}`
    const event =
      webhook.event === null
        ? undefined
        : eventOf(await evaluateTemplate(by, webhook.event, { ...payload }), body)
    if (event) return send(owner, workflow, event, key)
    const input = mapping === null ? (body ?? {}) : await evaluateTemplate(by, mapping, { ...payload })
    const begun = await executionStarts.startOwn(owner, workflow, { input, ...(key && { key }) })
    return { executionId: begun.id }
  }

  async function send(owner: Principal, workflow: Executable, event: WebhookEvent, key: string | undefined) {
    const { executionId } = event
    const found = executionId === undefined ? undefined : await executionStore.find(executionId)
    // Those of other workflows are as unknown as those that never were.
    if (executionId !== undefined && found?.workflowId !== workflow.id) throw notFound('Execution')
    const repetition = key === undefined ? undefined : { key, digest: digestOf({ ...event }) }
    const sent = await executionEvents.send(owner, workflow, found, event, repetition)
    return { executionId: sent.executionId, eventId: sent.id }
  }

  return { admit, accept }
}
