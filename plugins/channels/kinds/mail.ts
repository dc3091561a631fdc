import { readHtml } from 'agent-platform'
import type { Email } from 'postal-mime'
import { passedDmarc, readResults } from './authentication-results.ts'
import type { Incoming } from './kind.ts'

const MOST_TEXT = 100_000
/** An answer goes to it: nothing that more than one address, or another one, could be read from. */
const ADDRESS = /^[^\s<>@,;:"()\\]{1,64}@[a-z0-9.-]{1,190}$/
/** Lines that mail programs put above a quoted message. */
const ATTRIBUTION = /^(?:On|Am|Le|El|Il|Op) .{10,200}:$/
const limits = { maxNestingDepth: 20, maxHeadersSize: 131_072 }

interface Reader {
  readonly verifier: string
  readonly address: string
}
type Mail = Omit<Incoming, 'id'> & { readonly id: string | undefined }

/**
 * What a person wrote in a message (RFC 5322). Undefined for one that no person has written to be answered, and for one
 * whose sender the receiving server has not verified: the address in it is anybody's to choose.
 */
export async function readMail(source: Buffer, { verifier, address }: Reader): Promise<Mail | undefined> {
  const { default: PostalMime, addressParser } = await import('postal-mime')
  let mail: Email
  try {
    mail = await PostalMime.parse(source, limits)
  } catch {
    return undefined
  }
  const authors = headersOf(mail, 'from')
  const senders = authors.flatMap((value) => addressParser(value))
  const from = senders[0]?.address?.toLowerCase() ?? ''
  if (authors.length !== 1 || !hasOneAddress(authors[0] ?? '')) return undefined
  if (senders.length !== 1 || !ADDRESS.test(from) || from === address.toLowerCase()) return undefined
  if (isAutomatic(mail) || !isVerified(mail, verifier, from)) return undefined
  const text = textOf(mail).slice(0, MOST_TEXT)
  if (text === '') return undefined
  return { id: mail.messageId?.slice(0, 500), conversation: from, from, text }
}

/**
 * Whether only one address could be read from it, by whatever program: beside quoted names there is one `@`, in angle brackets where
 * there are any, with nothing behind them.
 */
function hasOneAddress(from: string): boolean {
  // One that does not end matches as well, or the search would begin again at each quotation mark.
  const bare = from.replace(/"(?:[^"\\]|\\.)*("?)/gs, (_, end: string) => (end ? ' ' : '"'))
  if (/["()\\,;:]/.test(bare) || bare.split('@').length !== 2) return false
  return !/[<>]/.test(bare) || /^[^<>@]*<[^<>@]*@[^<>@]*>\s*$/.test(bare)
}

const headersOf = ({ headers }: Email, name: string): string[] =>
  headers.filter(({ key }) => key === name).map(({ value }) => value)

/** Of lists, and of programs that would answer each other for ever (RFC 3834). */
function isAutomatic(mail: Email): boolean {
  const [submitted = 'no'] = headersOf(mail, 'auto-submitted')
  const [precedence = ''] = headersOf(mail, 'precedence')
  if (!/^no\b/i.test(submitted.trim()) || /bulk|junk|list/i.test(precedence)) return true
  return headersOf(mail, 'list-id').length > 0 || headersOf(mail, 'return-path')[0]?.trim() === '<>'
}

/**
 * By the topmost header of the server that received it, which takes out those that claim to be its own (RFC 8601, section 5):
 * DMARC passed, and for the domain of the one address in `From`.
 */
function isVerified(mail: Email, verifier: string, from: string): boolean {
  const results = headersOf(mail, 'authentication-results').map(readResults)
  const its = results.find((it) => it?.authority === verifier.toLowerCase())
  return its !== undefined && passedDmarc(its) === from.split('@')[1]
}

/** Text of a message; converted from its HTML if it has no plain text, because many programs send only HTML. */
function textOf({ text = '', html = '' }: Email): string {
  if (text.trim() !== '') return replyOf(text)
  const quote = html.search(/<blockquote\b|<div class="gmail_quote/i)
  const own = quote < 0 ? '' : readHtml(html.slice(0, quote)).text
  const [last = '', ...above] = own.split('\n').reverse()
  const reply = ATTRIBUTION.test(last.trim()) ? above.reverse().join('\n').trim() : own
  return reply || replyOf(readHtml(html).text)
}

/** Without the message that it answers, which programs put below it. */
function replyOf(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const quote = lines.findIndex((line, at) => ATTRIBUTION.test(line.trim()) && /^>/.test(lines[at + 1] ?? ''))
  const own = quote < 0 ? lines : lines.slice(0, quote)
  while (own.length > 0 && /^(?:>.*)?$/.test(own.at(-1)?.trim() ?? '')) own.pop()
  return own.join('\n').trim()
}
