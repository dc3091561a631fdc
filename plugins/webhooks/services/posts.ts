import { Webhook as Signer } from 'standardwebhooks'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Attempt } from '../schemas/deliveries.ts'
import type { WebhookSettings } from '../settings.ts'
import type { DeliveryRow } from '../stores/deliveries.ts'
import type { WebhookRow } from '../stores/webhooks.ts'
import type { WebhookService } from './webhooks.ts'

export type Posts = ReturnType<typeof createPosts>

interface Deps {
  settings: WebhookSettings
  outgoing: Outgoing
  webhookService: WebhookService
}

const MOST_BYTES = 65_536
const MOST_REPLY = 1_000

/** One attempt to send a message, signed. */
export function createPosts({ settings, outgoing, webhookService }: Deps) {
  async function post(
    webhook: WebhookRow,
    { messageId, payload }: DeliveryRow,
    signal: AbortSignal
  ): Promise<Attempt> {
    const begun = performance.now()
    const at = new Date()
    const took = () => Math.round(performance.now() - begun)
    const signatures = (await webhookService.secretsOf(webhook)).map((secret) =>
      new Signer(secret).sign(messageId, at, payload)
    )
    try {
      const reply = await outgoing.fetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'agent-platform-webhooks',
          'webhook-id': messageId,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': signatures.join(' ')
        },
        body: payload,
        redirect: 'error',
        signal,
        timeoutMs: settings.timeoutSeconds * 1_000,
        maxBytes: MOST_BYTES
      })
      const text = await beginningOf(reply)
      const error = reply.ok ? null : `It answered ${reply.status}`
      return { at: at.toISOString(), milliseconds: took(), status: reply.status, error, reply: text }
    } catch (error) {
      return { at: at.toISOString(), milliseconds: took(), status: null, error: wordsOf(error), reply: null }
    }
  }

  return { post }
}

async function beginningOf(reply: Awaited<ReturnType<Outgoing['fetch']>>): Promise<string> {
  const text = await reply.text().catch(() => '')
  return text.replaceAll('\0', '\ufffd').slice(0, MOST_REPLY)
}

/** Never more than a receiver's owner may know: not where a name led to. */
function wordsOf(error: unknown): string {
  const { code, kind } = error as { code?: string; kind?: string }
  if (code === 'address_refused') return 'Its address may not be connected to'
  if (code === 'redirected') return 'It redirects, which is not followed'
  if (kind === 'upstreamTimeout') return 'It did not answer in time'
  return 'It could not be reached'
}
