import { isUtf8 } from 'node:buffer'
import { upstreamFailed } from 'agent-platform'
import type { Response } from 'undici'
import type { Tools } from '../../tools/contract.ts'

/** As the sandbox makes a `Response` of it. */
export interface FetchReply {
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: { readonly text: string } | { readonly base64: string }
}
type Redactor = ReturnType<Tools['redactor']>

/** Of the connection alone, or no business of an app. */
const KEPT_BACK =
  /^(?:connection|content-encoding|content-length|keep-alive|proxy-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade)$/i
const REDACTED = '[redacted]'

/** What an app is told of a reply. With a redactor nothing of it has a key in it. */
export async function readReply(
  reply: Response,
  url: URL,
  bytes: Buffer,
  redactor: Redactor | undefined
): Promise<FetchReply> {
  const clean = <T>(said: T): T => (redactor ? redactor.redact(said) : said)
  const body = redactor ? await withoutSecrets(bytes, redactor) : bytes
  return {
    status: reply.status,
    statusText: clean(reply.statusText),
    url: clean(url.href),
    headers: [...reply.headers]
      .filter(([name]) => !KEPT_BACK.test(name))
      .map(([name, value]) => [clean(name), clean(value)] as const),
    ...(body.length > 0 && {
      body: isUtf8(body) ? { text: body.toString() } : { base64: body.toString('base64') }
    })
  }
}

/** A text without keys; of anything else, from which none can be taken, it is only told that there is one. */
async function withoutSecrets(bytes: Buffer, { redactInTurns }: Redactor): Promise<Buffer> {
  if (isUtf8(bytes)) return Buffer.from(await redactInTurns(bytes.toString()))
  const text = bytes.toString('latin1')
  const count = (said: string) => said.split(REDACTED).length
  if (count(await redactInTurns(text)) > count(text))
    throw upstreamFailed('The reply has the key of the connection in it', { code: 'key_in_reply' })
  return bytes
}
