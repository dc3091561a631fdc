import { compileSchema, forbidden, invalid, tooLarge } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Body = Type.Object(
  { text: Type.Optional(Type.String()), base64: Type.Optional(Type.String()) },
  { minProperties: 1, maxProperties: 1, additionalProperties: false }
)
const FetchCall = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 8_192 }),
    method: Type.Optional(Type.Enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])),
    headers: Type.Optional(
      Type.Array(Type.Array(Type.String({ maxLength: 8_192 }), { minItems: 2, maxItems: 2 }), {
        maxItems: 64
      })
    ),
    body: Type.Optional(Type.Union([Body, Type.Null()])),
    connection: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    redirect: Type.Optional(Type.Enum(['follow', 'error', 'manual']))
  },
  { additionalProperties: false }
)
const check = compileSchema(FetchCall)

/** One request of an app, before the key of a connection is in it. */
export interface FetchRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: Buffer | undefined
  readonly connection: string | undefined
  readonly redirect: 'follow' | 'error' | 'manual'
}

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
/**
 * They say where a message goes, ends or comes from, or belong to the platform. A list of those that may be would keep out what
 * services ask for by names of their own.
 */
const TAKEN =
  /^(?:accept-encoding|connection|content-encoding|content-length|cookie2?|date|expect|forwarded|host|http2-settings|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|x-real-ip)$/i

/** Whether an app, or a connection of it, may send a header of that name. */
export const isSettable = (name: string): boolean => TOKEN.test(name) && !TAKEN.test(name)

/** What `fetch` is given; 400 for what is no request. */
export function readFetchCall(params: unknown, maxBytes: number): FetchRequest {
  const fault = check(params)
  if (fault) throw invalid(`/params${fault.at}`, `/params${fault.at} ${fault.text}`)
  const {
    url,
    method = 'GET',
    headers = [],
    redirect = 'follow',
    ...rest
  } = params as Static<typeof FetchCall>
  if (!URL.canParse(url)) throw invalid('/params/url', '/params/url is no address')
  const body = bytesOf(rest.body ?? undefined, maxBytes)
  if (body && /^(?:GET|HEAD)$/.test(method)) throw invalid('/params/body', `A ${method} request has no body`)
  return {
    url: addressOf(new URL(url)),
    method,
    headers: headersOf(headers as [string, string][]),
    body,
    connection: rest.connection,
    redirect
  }
}

function addressOf(url: URL): URL {
  if (url.username || url.password)
    throw invalid('/params/url', '/params/url must not contain a user or password')
  url.hash = ''
  return url
}

function headersOf(given: readonly [string, string][]): Headers {
  const headers = new Headers()
  for (const [at, [name, value]] of given.entries()) {
    if (!isSettable(name))
      throw forbidden(`The header ${name.slice(0, 100)} is not for apps to send`, {
        code: 'header_refused',
        param: `/params/headers/${at}`
      })
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw invalid(`/params/headers/${at}/1`, `The header ${name} must be printable and on one line`)
    headers.append(name, value)
  }
  return headers
}

function bytesOf(body: Static<typeof Body> | undefined, maxBytes: number): Buffer | undefined {
  if (!body) return undefined
  const bytes = body.text === undefined ? Buffer.from(body.base64 ?? '', 'base64') : Buffer.from(body.text)
  if (body.base64 !== undefined && bytes.toString('base64') !== body.base64)
    throw invalid('/params/body/base64', '/params/body/base64 is not base64')
  if (bytes.length > maxBytes)
    throw tooLarge(`A request of an app has at most ${maxBytes} bytes`, { param: '/params/body' })
  return bytes
}
