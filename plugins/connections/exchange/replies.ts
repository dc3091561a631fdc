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

/** Of what a provider says is wrong: one word of RFC 6749 where it can be told, else something that is none. */
function errorOf({ error, ok, status, code }: Json, errors: Provider['errors']): string | undefined {
  const named = [error, ok === false ? code : undefined, status, code].filter((it) => typeof it === 'string')
  const known = named.find((it) => errors?.[it as string] !== undefined)
  if (known !== undefined) return errors?.[known as string]
  if (typeof error === 'string' && error !== '') return error
  return isObject(error) || ok === false ? 'server_error' : undefined
}

/**
 * A reply of a token endpoint as RFC 6749 has it, whatever the provider made of it: errors with status 200, forms, tokens
 * that lie deeper, no type, numbers as text. Undefined for what is no reply of such an endpoint at all.
 */
export function standardReply(
  { status, text, contentType }: { status: number; text: string; contentType: string },
  { tokensAt, errors }: Pick<Provider, 'tokensAt' | 'errors'>
): { status: number; body: Json } | undefined {
  const said = readFields(text, contentType)
  if (!said) return undefined
  const error = errorOf(said, errors)
  if (error !== undefined || status >= 400) return { status: 400, body: { error: error ?? 'server_error' } }
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

/** Slack says who it is for; some say nothing. */
const typeOf = (type: unknown): string =>
  type == null || type === '' || type === 'user' || type === 'bot' ? 'bearer' : String(type)
