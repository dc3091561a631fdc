import { Closed } from 'agent-platform'
import { Type } from 'typebox'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { ChannelKind } from './kind.ts'
import { ask, parsed, partsOf } from './requests.ts'
import { checkDiscord } from './signatures.ts'

const MOST = 2_000
const PING = 1
const COMMAND = 2
/** Shown to who wrote it alone. */
const EPHEMERAL = 64

interface Interaction {
  readonly id?: unknown
  readonly type?: unknown
  readonly channel_id?: unknown
  readonly member?: { readonly user?: { readonly id?: unknown } }
  readonly user?: { readonly id?: unknown }
  readonly data?: { readonly options?: readonly { readonly value?: unknown }[] }
}

/** An application of Discord, by interactions: what people give a command of it. Answers are messages of its bot. */
export const createDiscordKind = (outgoing: Outgoing, base: string): ChannelKind => ({
  config: Closed({
    publicKey: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the application' })
  }),
  secrets: Closed({ token: Type.String({ pattern: '^[A-Za-z0-9_.-]{20,200}$', description: 'Of the bot' }) }),
  isOpen: false,
  receive({ config, headers, bytes }) {
    checkDiscord(String(config.publicKey), headers, bytes)
    const {
      id,
      type,
      channel_id: channel,
      member,
      user,
      data
    } = parsed(bytes.toString('utf8')) as Interaction
    if (type === PING) return { messages: [], reply: { type: PING } }
    const text = data?.options?.map(({ value }) => String(value)).join(' ') ?? ''
    const content = partsOf(text, MOST)[0] ?? 'There is nothing to answer'
    const reply = { type: 4, data: { content, flags: EPHEMERAL, allowed_mentions: { parse: [] } } }
    if (type !== COMMAND || text === '' || typeof id !== 'string' || typeof channel !== 'string')
      return { messages: [], reply }
    const from = String(member?.user?.id ?? user?.id ?? channel)
    return { messages: [{ id, conversation: channel, from, text }], reply }
  },
  async send({ secrets, conversation, text, key, signal }) {
    for (const [index, content] of partsOf(text, MOST).entries())
      await ask(outgoing, `${base}/channels/${encodeURIComponent(conversation)}/messages`, {
        body: JSON.stringify({
          content,
          nonce: `${key.slice(-20)}.${index}`,
          enforce_nonce: true,
          allowed_mentions: { parse: [] }
        }),
        headers: { authorization: `Bot ${secrets.token}` },
        signal
      })
  },
  async check({ secrets }) {
    const { username } = await ask(outgoing, `${base}/users/@me`, {
      headers: { authorization: `Bot ${secrets.token}` }
    })
    return String(username).slice(0, 200)
  }
})
