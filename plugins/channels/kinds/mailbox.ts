import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Fetched, Incoming } from './kind.ts'
import { readMail } from './mail.ts'
import { Rejected } from './requests.ts'

const TIMEOUT_MS = 20_000
/** Messages that are read at a time, and bytes of each: what lies behind is a file that was sent along. */
const MOST_MESSAGES = 20
const MOST_BYTES = 262_144
/** Of a line, such as all numbers of new messages, and of all that a server says for one look: more is not a mailbox. */
const MOST_LINE = 1_048_576
const MOST_SAID = 8_388_608
const LOOK_MS = 50
const TLS_PORT = 993
const AGAIN_SECONDS = 60

export interface Mailbox {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** The server whose word is taken for who has sent a message (RFC 8601, authserv-id). */
  readonly verifier: string
  /** What the channel itself writes from. */
  readonly address: string
}

/**
 * What has come to the inbox since the cursor, which is the mailbox's validity and the last UID (RFC 9051); without one what lies
 * there counts as seen. Nothing is marked, moved or deleted. Rejects with a `Rejected` where the server lets nobody in.
 */
export async function fetchMail(
  outgoing: Outgoing,
  mailbox: Mailbox,
  cursor: string | null,
  signal: AbortSignal
): Promise<Fetched> {
  const { host, port, user, password } = mailbox
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    // Looked at before, as that is what is connected to; the certificate is the name's.
    host: await addressOf(outgoing, host, port),
    ...(isIP(host) === 0 && { servername: host }),
    port,
    secure: port === TLS_PORT,
    ...(port !== TLS_PORT && { doSTARTTLS: true }),
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    maxLiteralSize: 2 * MOST_BYTES,
    maxLineLength: MOST_LINE,
    maxResponseSize: 2 * MOST_LINE,
    // What is little on its way may be much in memory.
    disableCompression: true
  })
  // What is closed while it connects never says so.
  const left = Promise.withResolvers<never>()
  left.promise.catch(() => undefined)
  const leave = () => {
    client.close()
    left.reject(new Error('It was left'))
  }
  const watch = setInterval(() => {
    if (client.stats().received > MOST_SAID) leave()
  }, LOOK_MS)
  // A connection that breaks fails what is asked on it.
  client.on('error', () => undefined)
  signal.addEventListener('abort', leave)
  const look = async (): Promise<Fetched> => {
    await client.connect()
    const { uidValidity, uidNext } = await client.mailboxOpen('INBOX', { readOnly: true })
    const [validity, last] = cursor?.split(':') ?? []
    if (validity !== String(uidValidity))
      return { messages: [], cursor: `${uidValidity}:${uidNext - 1}`, isMore: false }
    const from = Number(last) + 1
    const found = (await client.search({ uid: `${from}:*` }, { uid: true })) || []
    // The last one is found even where it lies before.
    const uids = found.filter((uid) => uid >= from).sort((a, b) => a - b)
    const messages: Incoming[] = []
    for (const uid of uids.slice(0, MOST_MESSAGES)) {
      const one = await client.fetchOne(String(uid), { source: { maxLength: MOST_BYTES } }, { uid: true })
      const { source } = one || {}
      const message = source && (await readMail(source, mailbox))
      if (message) messages.push({ ...message, id: message.id ?? `uid:${uidValidity}:${uid}` })
    }
    const seen = uids[Math.min(uids.length, MOST_MESSAGES) - 1] ?? from - 1
    return { messages, cursor: `${uidValidity}:${seen}`, isMore: uids.length > MOST_MESSAGES }
  }
  try {
    signal.throwIfAborted()
    return await Promise.race([look(), left.promise])
  } catch (error) {
    signal.throwIfAborted()
    const isRefused = (error as { authenticationFailed?: boolean }).authenticationFailed === true
    throw new Rejected(
      isRefused ? 'The IMAP server does not let it in' : 'The IMAP server could not be asked',
      AGAIN_SECONDS
    )
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', leave)
    client.close()
  }
}

/** One that may be connected to, by the rules of the guarded client. */
async function addressOf(outgoing: Outgoing, host: string, port: number): Promise<string> {
  const lookup = outgoing.lookup(host, port)
  if (isIP(host) !== 0) return host
  const found = await new Promise<string | LookupAddress[]>((resolve, reject) =>
    lookup(host, { all: false }, (error, address) => (error ? reject(error) : resolve(address)))
  ).catch(() => undefined)
  const address = typeof found === 'string' ? found : found?.[0]?.address
  if (!address) throw new Rejected('The IMAP server is at no address that may be connected to', AGAIN_SECONDS)
  return address
}
