import { Closed, invalid } from 'agent-platform'
import { Type } from 'typebox'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { ChannelKind } from './kind.ts'
import { ask, parsed } from './requests.ts'
import { checkWebhook, makeSecret, signWebhook } from './signatures.ts'

const MOST_TEXT = 32_000

/** Any service that speaks Standard Webhooks, both ways, with one secret. */
export const createWebhookKind = (outgoing: Outgoing): ChannelKind => ({
  config: Closed({
    url: Type.String({ minLength: 1, maxLength: 2_000, description: 'That answers are posted to' })
  }),
  secrets: Closed({}),
  made: () => ({ secret: makeSecret() }),
  shown: ['secret'],
  isOpen: true,
  receive({ secrets, headers, bytes }) {
    const id = checkWebhook(String(secrets.secret), headers, bytes)
    const { conversation, text, from } = parsed(bytes.toString('utf8'))
    if (typeof text !== 'string' || text.trim() === '' || text.length > MOST_TEXT)
      throw invalid('/text', `/text must be a text of at most ${MOST_TEXT} characters`)
    if (typeof conversation !== 'string' || conversation === '' || conversation.length > 200)
      throw invalid('/conversation', '/conversation must be a text of at most 200 characters')
    return {
      messages: [
        { id, conversation, text, from: typeof from === 'string' ? from.slice(0, 200) : conversation }
      ]
    }
  },
  async send({ config, secrets, conversation, text, key, signal }) {
    const body = JSON.stringify({ conversation, text })
    const time = String(Math.floor(Date.now() / 1_000))
    const signature = signWebhook(String(secrets.secret), key, time, body)
    const headers = { 'webhook-id': key, 'webhook-timestamp': time, 'webhook-signature': signature }
    await ask(outgoing, String(config.url), { body, headers, signal })
  },
  async check({ config }) {
    return outgoing.check(String(config.url), '/url').host
  }
})
