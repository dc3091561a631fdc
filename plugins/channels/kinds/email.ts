import { connect } from 'node:net'
import { Closed, invalid } from 'agent-platform'
import { createTransport } from 'nodemailer'
import { Type } from 'typebox'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { ChannelKind, ChannelSetup } from './kind.ts'
import { fetchMail } from './mailbox.ts'
import { parsed, Rejected } from './requests.ts'
import { checkWebhook, makeSecret } from './signatures.ts'

const TIMEOUT_MS = 20_000
const MOST_TEXT = 100_000
const hostName = { minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9.:-]+$' }
const name = { minLength: 1, maxLength: 200 }
const word = { minLength: 1, maxLength: 500 }
interface EmailConfig {
  readonly user?: string
  readonly from: string
  readonly imapHost?: string
  readonly imapPort?: number
  readonly imapUser?: string
  readonly verifier?: string
}
const address = '^[^\\s<>@,;"]{1,64}@[A-Za-z0-9.-]{1,190}$'

/**
 * Email: answers go by SMTP; what comes is fetched by IMAP, or posted here by the server that receives it, signed by the rules of
 * Standard Webhooks.
 */
export const createEmailKind = (outgoing: Outgoing): ChannelKind => {
  function transport({ config, secrets }: ChannelSetup) {
    const { host, port, user } = config as { host: string; port: number; user?: string }
    return createTransport({
      host,
      port,
      secure: port === 465,
      // To anything but this machine a password goes encrypted or not at all.
      requireTLS: port !== 465 && user !== undefined,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(user !== undefined && { auth: { user, pass: String(secrets.password) } }),
      getSocket(_options: unknown, done: (error: Error | null, socket?: object) => void) {
        try {
          const connection = connect({ host, port, lookup: outgoing.lookup(host, port), timeout: TIMEOUT_MS })
          connection.once('connect', () => done(null, { connection }))
          connection.once('timeout', () => connection.destroy(new Error('timeout')))
          connection.once('error', (error) => done(error))
        } catch (error) {
          done(error as Error)
        }
      }
    } as never)
  }
  return {
    config: Closed({
      host: Type.String({ ...hostName, description: 'Of the SMTP server' }),
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
      user: Type.Optional(Type.String(name)),
      from: Type.String({ pattern: address, description: 'That it writes from' }),
      imapHost: Type.Optional(
        Type.String({ ...hostName, description: 'Of the IMAP server whose inbox is read' })
      ),
      imapPort: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 993 })),
      imapUser: Type.Optional(Type.String({ ...name, description: 'Default: `user`' })),
      verifier: Type.Optional(
        Type.String({
          ...hostName,
          description:
            'The authserv-id in `Authentication-Results` of the server that receives the mail: messages that it has not found to pass DMARC are dropped'
        })
      )
    }),
    secrets: Closed({
      password: Type.Optional(Type.String(word)),
      imapPassword: Type.Optional(Type.String({ ...word, description: 'Default: `password`' }))
    }),
    made: () => ({ secret: makeSecret() }),
    shown: ['secret'],
    isOpen: false,
    receive({ secrets, headers, bytes }) {
      checkWebhook(String(secrets.secret), headers, bytes)
      const { messageId, from, text } = parsed(bytes.toString('utf8'))
      if (typeof from !== 'string' || !new RegExp(address).test(from))
        throw invalid('/from', '/from must be an address')
      if (typeof text !== 'string' || text.length > MOST_TEXT)
        throw invalid('/text', `/text must be a text of at most ${MOST_TEXT} characters`)
      if (typeof messageId !== 'string' || messageId === '' || messageId.length > 500)
        throw invalid('/messageId', '/messageId must be a text of at most 500 characters')
      if (text.trim() === '') return { messages: [] }
      return {
        messages: [{ id: messageId, conversation: from.toLowerCase(), from: from.toLowerCase(), text }]
      }
    },
    async fetch({ config, secrets }, cursor, signal) {
      const {
        imapHost: host,
        imapPort: port = 993,
        from,
        verifier,
        ...named
      } = config as unknown as EmailConfig
      if (host === undefined) return undefined
      const user = named.imapUser ?? named.user
      const password = secrets.imapPassword ?? secrets.password
      for (const [name, value] of Object.entries({ imapUser: user, imapPassword: password, verifier }))
        if (value === undefined) throw invalid(`/${name}`, `/${name} is needed to read a mailbox`)
      const known = { user: String(user), password: String(password), verifier: String(verifier) }
      return fetchMail(outgoing, { host, port, address: from, ...known }, cursor, signal)
    },
    async send({ conversation, text, key, ...setup }) {
      const { from } = setup.config as { from: string }
      const domain = from.split('@')[1]
      try {
        await transport(setup).sendMail({
          from,
          to: conversation,
          subject: 'Re: your message',
          text,
          messageId: `<${key}@${domain}>`,
          headers: { 'auto-submitted': 'auto-replied' }
        })
      } catch (error) {
        const { responseCode = 0 } = error as { responseCode?: number }
        throw new Rejected('The SMTP server did not take it', responseCode >= 500 ? undefined : 30)
      }
    },
    async check(setup) {
      try {
        await transport(setup).verify()
      } catch {
        throw new Rejected('The SMTP server does not let it in')
      }
      return String(setup.config.from)
    }
  }
}
