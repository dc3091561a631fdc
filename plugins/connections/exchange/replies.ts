import type { Provider } from '../catalogue/provider.ts'

type Json = Record<string, unknown>

/** By a JSON pointer; undefined where there is nothing. */
export function partAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (part, name) =>
        typeof part === 'object' && part !== null && Object.hasOwn(part, name)
          ? (part as Json)[name]
          : undefined,
      value
    )
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON, or the form that GitHub sends where it overlooks `accept`; undefined for pages and the like. */
export function readFields(text: string, contentType: string): Json | undefined {
  if (/^\s*\{/.test(text))
    try {
      const value: unknown = JSON.parse(text)
      return isObject(value) ? value : undefined
    } catch {
      return undefined
    }
  const isForm = /form-urlencoded/i.test(contentType) || /^(access_token|error)=[^<>\s]*$/.test(text)
  return isForm ? Object.fromEntries(new URLSearchParams(text)) : undefined
}

/** An error without a word that could be shown. */
const UNKNOWN = 'unknown'
/** Meta: the token is expired, revoked or otherwise invalid. */
const META_INVALID = 190

/** The word that a reply has for an error, mapped to one of RFC 6749 by the provider's entry; undefined without an error. */
function errorOf({ error, ok, status, code }: Json, errors: Provider['errors']): string | undefined {
  const inner = isObject(error) ? error : {}
  const words = [error, code, status, inner.error, inner.code, inner.status, inner.type]
  const named = words.filter((it) => typeof it === 'string' && it !== '') as string[]
  const known = named.find((it) => errors?.[it] !== undefined)
  if (known !== undefined) return errors?.[known]
  if (inner.code === META_INVALID) return 'invalid_token'
  const isError = isObject(error) || ok === false || (typeof error === 'string' && error !== '')
  return isError ? (named[0] ?? UNKNOWN) : undefined
}

/** Statuses by which a token endpoint rejects what it was sent, and not the address or the moment. */
const REJECTED = new Set([400, 401, 403, 410, 422])

/**
 * A reply of a token endpoint as RFC 6749 has it, whatever the provider made of it: errors with status 200, forms, tokens
 * that lie deeper, no type, numbers as text. A rejection without fields, such as a page, is an error without a word. Undefined
 * for what is not a reply of such an endpoint at all.
 */
export function standardReply(
  { status, text, contentType }: { status: number; text: string; contentType: string },
  { tokensAt, errors }: Pick<Provider, 'tokensAt' | 'errors'>
): { status: number; body: Json } | undefined {
  const said = readFields(text, contentType)
  if (!said) return REJECTED.has(status) ? { status: 400, body: { error: UNKNOWN } } : undefined
  const error = errorOf(said, errors)
  if (error !== undefined || status >= 400) return { status: 400, body: { error: error ?? codeIn(said) } }
  const deeper = tokensAt === undefined ? undefined : partAt(said, tokensAt)
  const meant: Json = isObject(deeper) && 'access_token' in deeper ? { ...said, ...deeper } : said
  // Nobody is signed in by it, so nothing is believed of it.
  const { id_token: _, expires_in, scope, token_type, refresh_token, ...rest } = meant
  const seconds = Number(expires_in)
  return {
    status: 200,
    body: {
      ...rest,
      token_type: typeOf(token_type),
      ...(typeof refresh_token === 'string' && refresh_token !== '' && { refresh_token }),
      ...(expires_in != null && Number.isFinite(seconds) && seconds > 0 && { expires_in: seconds }),
      ...(scope != null && { scope: Array.isArray(scope) ? scope.join(' ') : String(scope) })
    }
  }
}

const codeIn = ({ code }: Json): string => (typeof code === 'string' && code !== '' ? code : UNKNOWN)

/** Slack says who it is for; some say nothing. */
const typeOf = (type: unknown): string =>
  type == null || type === '' || type === 'user' || type === 'bot' ? 'bearer' : String(type)
