import type { IncomingHttpHeaders } from 'node:http'
import type { Kernel, Principal } from 'agent-platform'
import { digestOf, evaluateTemplate, notFound } from 'agent-platform'
import type { ExecutionStarts } from '../executions/starts.ts'
import type { Addressed, WebhookStore } from '../stores/webhooks.ts'
import type { Payload } from '../webhooks/payloads.ts'
import { bodyOf, deliveryIdOf, headersOf } from '../webhooks/payloads.ts'
import { checkSignature } from '../webhooks/signatures.ts'
import { idOf, isToken } from '../webhooks/tokens.ts'
import type { WebhookService } from './webhooks.ts'

export type DeliveryService = ReturnType<typeof createDeliveryService>

interface Deps extends Pick<Kernel, 'limits'> {
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

export interface Admitted extends Addressed {
  readonly owner: Principal
}

const unknown = () => notFound('Webhook')

/** Outside events that begin executions. */
export function createDeliveryService({ limits, webhookStore, webhookService, executionStarts }: Deps) {
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

  /** Begins an execution in the owner's name; a delivery of a known id is that execution again. */
  async function accept(
    by: Principal,
    { webhook, workflow, owner }: Admitted,
    { headers, query, bytes, method }: Delivery
  ) {
    const { sealed, mapping } = webhook
    await limits.agent(by, workflow.id)
    if (sealed !== null)
      checkSignature(await webhookService.openSecret(webhook, sealed), headers, bytes ?? Buffer.alloc(0))
    const body = bodyOf(bytes, headers)
    const payload: Payload = { body, headers: headersOf(headers), query, method }
    const input = mapping === null ? (body ?? {}) : await evaluateTemplate(by, mapping, { ...payload })
    const id = deliveryIdOf(headers)
    const key = id === undefined ? undefined : `webhook:${digestOf([workflow.id, id])}`
    const begun = await executionStarts.startOwn(owner, workflow, { input, ...(key && { key }) })
    return { executionId: begun.id }
  }

  return { admit, accept }
}
