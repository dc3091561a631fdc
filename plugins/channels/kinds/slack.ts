import { Closed } from 'agent-platform'
import { Type } from 'typebox'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { ChannelKind } from './kind.ts'
import { ask, parsed, partsOf, Rejected } from './requests.ts'
import { checkSlack } from './signatures.ts'
import { readSlack, writeSlack } from './slack-text.ts'

/** Characters of `markdown_text`, with what escaping adds: `&amp;` for `&`. */
const MOST = 12_000
const MOST_ESCAPED = MOST / '&amp;'.length
/** Messages of people; other subtypes tell of changes to messages or channels. */
const SAID = new Set<unknown>([undefined, 'file_share', 'me_message', 'thread_broadcast'])
/** Of what Slack refuses with status 200, what passes. */
const PASSING = new Set(['ratelimited', 'service_unavailable', 'internal_error', 'fatal_error'])

interface SlackEvent {
  readonly type?: unknown
  readonly subtype?: unknown
  readonly bot_id?: unknown
  readonly channel?: unknown
  readonly user?: unknown
  readonly text?: unknown
  /** Of the message: with its channel, its ID. */
  readonly ts?: unknown
  /** Of the message that its thread began with. */
  readonly thread_ts?: unknown
}

/** An app of Slack, by the Events API. A conversation is a channel (`C1`) or a thread of one (`C1:1700000000.000100`). */
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
      const { type, subtype, bot_id: bot, channel, user, ...event } = (body.event ?? {}) as SlackEvent
      const isSaid = (type === 'message' || type === 'app_mention') && SAID.has(subtype) && bot === undefined
      if (!isSaid || typeof event.text !== 'string' || typeof channel !== 'string') return { messages: [] }
      // One message comes as two events with IDs of their own where it mentions the app.
      const id = typeof event.ts === 'string' ? `${channel}:${event.ts}` : body.event_id
      const [app] = (body.authorizations ?? []) as { user_id?: string }[]
      const text = readSlack(event.text, app?.user_id)
      if (text.trim() === '' || typeof id !== 'string') return { messages: [] }
      const thread = typeof event.thread_ts === 'string' ? event.thread_ts : undefined
      const place =
        thread === undefined
          ? { conversation: channel }
          : { conversation: `${channel}:${thread}`, within: channel }
      return { messages: [{ id, ...place, from: String(user), text }] }
    },
    async send({ secrets, conversation, text, signal }) {
      const [channel, thread] = conversation.split(':')
      const parts = partsOf(text, MOST).flatMap((part) =>
        writeSlack(part).length > MOST ? partsOf(part, MOST_ESCAPED) : [part]
      )
      for (const part of parts) {
        const place = { channel, ...(thread !== undefined && { thread_ts: thread }) }
        const message = {
          ...place,
          markdown_text: writeSlack(part),
          unfurl_links: false,
          unfurl_media: false
        }
        await call('chat.postMessage', secrets.token, message, signal)
      }
    },
    async check({ secrets }) {
      const { team, user } = await call('auth.test', secrets.token, {})
      return `${String(user)} at ${String(team)}`.slice(0, 200)
    }
  }
}
