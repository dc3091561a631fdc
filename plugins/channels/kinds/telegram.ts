import { Closed } from 'agent-platform'
import { Type } from 'typebox'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { ChannelKind } from './kind.ts'
import { ask, parsed, partsOf } from './requests.ts'
import { isSame, makeToken, unsigned } from './signatures.ts'

const MOST = 4_096

/** A bot of Telegram: its updates come with a secret that it is told when it is connected. */
export const createTelegramKind = (outgoing: Outgoing, base: string): ChannelKind => ({
  config: Closed({}),
  secrets: Closed({
    token: Type.String({ pattern: '^\\d{1,20}:[A-Za-z0-9_-]{10,100}$', description: 'Of the bot' })
  }),
  made: () => ({ secret: makeToken() }),
  isOpen: false,
  receive({ secrets, headers, bytes }) {
    if (!isSame(headers['x-telegram-bot-api-secret-token'], String(secrets.secret))) throw unsigned()
    const { update_id: id, message } = parsed(bytes.toString('utf8')) as {
      update_id?: number
      message?: { text?: unknown; chat?: { id?: number }; from?: { id?: number; is_bot?: boolean } }
    }
    const { text, chat, from } = message ?? {}
    if (id === undefined || typeof text !== 'string' || chat?.id === undefined || from?.is_bot)
      return { messages: [] }
    return {
      messages: [{ id: String(id), conversation: String(chat.id), from: String(from?.id ?? chat.id), text }]
    }
  },
  async send({ secrets, conversation, text, signal }) {
    for (const part of partsOf(text, MOST))
      await ask(outgoing, `${base}/bot${secrets.token}/sendMessage`, {
        body: JSON.stringify({ chat_id: conversation, text: part }),
        signal
      })
  },
  async check({ secrets }, url) {
    const { result } = (await ask(outgoing, `${base}/bot${secrets.token}/getMe`, {})) as {
      result?: { username?: string }
    }
    if (url !== undefined)
      await ask(outgoing, `${base}/bot${secrets.token}/setWebhook`, {
        body: JSON.stringify({ url, secret_token: secrets.secret, allowed_updates: ['message'] })
      })
    return `@${String(result?.username ?? 'bot')}`
  }
})
