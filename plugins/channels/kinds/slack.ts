import { Closed } from 'agent-platform'
import { Type } from 'typebox'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { ChannelKind } from './kind.ts'
import { ask, parsed, partsOf, Rejected } from './requests.ts'
import { checkSlack } from './signatures.ts'

const MOST = 12_000
/** Of what Slack refuses with status 200, what passes. */
const PASSING = new Set(['ratelimited', 'service_unavailable', 'internal_error', 'fatal_error'])

/** An app of Slack, by the Events API. */
export const createSlackKind = (outgoing: Outgoing, base: string): ChannelKind => {
  async function call(method: string, token: unknown, body: object, signal?: AbortSignal) {
    const said = await ask(outgoing, `${base}/${method}`, {
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal })
    })
    if (said.ok === true) return said
    const error = String(said.error)
      .replace(/[^a-z_]/g, '')
      .slice(0, 60)
    throw new Rejected(`Slack refused it: ${error}`, PASSING.has(error) ? 5 : undefined)
  }
  return {
    config: Closed({}),
    secrets: Closed({
      token: Type.String({ pattern: '^xox[a-z]-[A-Za-z0-9-]{10,200}$', description: 'Of the bot' }),
      signingSecret: Type.String({ pattern: '^[0-9a-f]{32,64}$' })
    }),
    isOpen: false,
    receive({ secrets, headers, bytes }) {
      checkSlack(String(secrets.signingSecret), headers, bytes)
      const body = parsed(bytes.toString('utf8'))
      if (body.type === 'url_verification')
        return { messages: [], reply: { challenge: String(body.challenge).slice(0, 500) } }
      const {
        type,
        subtype,
        bot_id: bot,
        text,
        channel,
        user
      } = (body.event ?? {}) as Record<string, unknown>
      const isSaid =
        (type === 'message' || type === 'app_mention') && subtype === undefined && bot === undefined
      if (
        !isSaid ||
        typeof text !== 'string' ||
        text === '' ||
        typeof channel !== 'string' ||
        typeof body.event_id !== 'string'
      )
        return { messages: [] }
      return { messages: [{ id: body.event_id, conversation: channel, from: String(user), text }] }
    },
    async send({ secrets, conversation, text, signal }) {
      for (const part of partsOf(text, MOST))
        await call('chat.postMessage', secrets.token, { channel: conversation, text: part }, signal)
    },
    async check({ secrets }) {
      const { team, user } = await call('auth.test', secrets.token, {})
      return `${String(user)} at ${String(team)}`.slice(0, 200)
    }
  }
}
