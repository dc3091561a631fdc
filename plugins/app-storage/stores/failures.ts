import { upstreamFailed, upstreamTimeout } from 'agent-platform'

interface Cause {
  readonly code?: unknown
  readonly codeName?: unknown
  readonly kind?: unknown
  readonly cause?: unknown
  readonly reason?: { readonly servers?: ReadonlyMap<string, { readonly error?: unknown }> }
  readonly name?: unknown
  readonly message?: unknown
}

/** What servers call it: PostgreSQL by SQLSTATE, MongoDB by number. */
const known: Readonly<Record<string, readonly [code: string, text: string]>> = {
  '28P01': ['credentials_refused', 'refuses the user or the password'],
  '28000': ['credentials_refused', 'refuses the user or the password'],
  '18': ['credentials_refused', 'refuses the user or the password'],
  '13': ['not_permitted', 'does not let the user do what is needed'],
  '42501': ['not_permitted', 'does not let the user do what is needed'],
  '3D000': ['database_not_found', 'has no such database'],
  '53300': ['store_busy', 'has too many connections'],
  '53100': ['store_full', 'has no room'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['certificate_refused', 'has a certificate that is not trusted'],
  SELF_SIGNED_CERT_IN_CHAIN: ['certificate_refused', 'has a certificate that is not trusted'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['certificate_refused', 'has a certificate that is not trusted'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['certificate_refused', 'has a certificate that is not trusted'],
  CERT_SIGNATURE_FAILURE: ['certificate_refused', 'has a certificate that is not trusted'],
  CERT_HAS_EXPIRED: ['certificate_refused', 'has a certificate that has expired'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['certificate_refused', 'has a certificate of another host'],
  address_refused: ['address_refused', 'may not be connected to'],
  ENOTFOUND: ['host_not_found', 'has no address'],
  ENODATA: ['host_not_found', 'has no address'],
  ECONNREFUSED: ['unreachable', 'cannot be reached']
}
/** query_canceled, and MaxTimeMSExpired. */
const timeouts = new Set<unknown>(['57014', 50])

/** Errors that drivers put around others, outermost first. */
function* causesOf(error: unknown, depth = 0): Generator<Cause> {
  if (typeof error !== 'object' || error === null || depth > 5) return
  const cause = error as Cause
  yield cause
  yield* causesOf(cause.cause, depth + 1)
  for (const { error } of cause.reason?.servers?.values() ?? []) yield* causesOf(error, depth + 1)
}

/** Whether the store failed, not what it was asked for. */
export const isOwn = (error: unknown): boolean =>
  error instanceof Error && ('kind' in error || 'state' in error || error.name === 'AbortError')

/** What went wrong with a database outside, with nothing of what it or its driver said in it. */
export function failureOf(error: unknown): Error {
  if (isOwn(error)) return error as Error
  const causes = [...causesOf(error)]
  const cause = { code: causes.find(({ code }) => code !== undefined)?.code }
  if (causes.some(({ code }) => timeouts.has(code)))
    return upstreamTimeout('The store of the app took too long', { code: 'query_timeout', cause })
  // The driver of PostgreSQL gives no code for that.
  if (causes.some(({ message }) => message === 'The server does not support SSL connections'))
    return upstreamFailed('The server of the store has no TLS', { code: 'tls_unsupported', cause })
  for (const { code } of causes) {
    const found = Object.hasOwn(known, String(code)) ? known[String(code)] : undefined
    if (found) return upstreamFailed(`The server of the store ${found[1]}`, { code: found[0], cause })
  }
  return upstreamFailed('The server of the store cannot be reached, or failed', {
    code: 'unreachable',
    cause
  })
}

/** Of servers that do not take writes any more, or go. */
const leaving = new Set<unknown>([91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436])

/** Whether its connections are of no use any more, rather than one command of them. */
export function isBroken(error: unknown): boolean {
  if (isOwn(error)) return false
  const { name, code } = error as Cause
  if (name === 'MongoServerError') return leaving.has(code)
  return !/^(?!08|57P)[0-9A-Z]{5}$/.test(String(code))
}
