import type { IncomingHttpHeaders } from 'node:http'
import type { Kernel, Principal } from 'agent-platform'
import { digestOf, evaluateTemplate, notFound } from 'agent-platform'
import type { ExecutionStarts } from '../executions/starts.ts'
import type { WebhookRow, WebhookStore } from '../stores/webhooks.ts'
import type { Payload } from '../webhooks/payloads.ts'
import { bodyOf, deliveryIdOf, headersOf } from '../webhooks/payloads.ts'
import { checkSignature } from '../webhooks/signatures.ts'
import { idOf, isToken } from '../webhooks/tokens.ts'
import type { WebhookService } from './webhooks.ts'

export type DeliveryService = ReturnType<typeof createDeliveryService>

interface Deps extends Pick<Kernel, 'principals' | 'limits'> {
  webhookStore: WebhookStore
  webhookService: WebhookService
  executionStarts: ExecutionStarts
}

/** What comes to a webhook. */
interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly query: Readonly<Record<string, unknown>>
  readonly bytes: Buffer | undefined
  readonly method: string
}

const unknown = () => notFound('Webhook')

/** Outside events that begin executions. */
export function createDeliveryService({
  principals,
  limits,
  webhookStore,
  webhookService,
  executionStarts
}: Deps) {
  /**
   * The owner of the webhook whose token that is; one and the same 404, after the same questions, for tokens that are
   * unknown or no longer good, and where the owner is disabled. By the record, so that a rotation holds at once.
   */
  async function admit(token: string): Promise<{ webhook: WebhookRow; owner: Principal }> {
    const found = await webhookStore.find(idOf(token))
    const isGood = isToken(token, found?.hash)
    const owner = await principals.of(found?.project ?? '', found?.owner ?? '')
    if (!found || !isGood || !owner) throw unknown()
    return { webhook: found, owner }
  }

  /** Begins an execution in the owner's name; a delivery of a known id is that execution again. */
  async function accept(by: Principal, webhook: WebhookRow, { headers, query, bytes, method }: Delivery) {
    const { workflowId, sealed, mapping } = webhook
    await limits.agent(by, workflowId)
    if (sealed !== null)
      checkSignature(await webhookService.openSecret(webhook, sealed), headers, bytes ?? Buffer.alloc(0))
    const body = bodyOf(bytes, headers)
    const payload: Payload = { body, headers: headersOf(headers), query, method }
    const input = mapping === null ? (body ?? {}) : await evaluateTemplate(by, mapping, { ...payload })
    const id = deliveryIdOf(headers)
    const key = id === undefined ? undefined : `webhook:${digestOf([workflowId, id])}`
    const begun = await executionStarts.start(by, { workflowId, input, ...(key && { key }), param: 'token' })
    return { executionId: begun.id }
  }

  return { admit, accept }
}
