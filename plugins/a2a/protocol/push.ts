import type { Dialect } from './dialects.ts'
import { failed } from './errors.ts'
import type { Params } from './requests.ts'
import { nameOf, needed, objectOf } from './requests.ts'

/** Where a client wants to be told of a task, and by which credentials it knows that it is we. */
export interface PushOrder {
  readonly name: string | undefined
  readonly url: string
  readonly token: string | undefined
  /** The value of the header `authorization`. */
  readonly authorization: string | undefined
}

/** RFC 9110: what a header may hold. */
const HEADER = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const SCHEME = /^[A-Za-z][A-Za-z0-9-]*$/

/** Of the `pushNotificationConfig` of 0.2 and 0.3, or of what 1.0 has in its place. */
export function pushOf(config: Params): PushOrder {
  const { url, token, authentication } = config
  if (typeof url !== 'string' || url.length > 2_000)
    throw failed('INVALID_PARAMS', 'url must be a text of at most 2000 characters')
  const {
    schemes,
    scheme = Array.isArray(schemes) ? schemes[0] : undefined,
    credentials
  } = objectOf(authentication)
  if (scheme !== undefined && !(typeof scheme === 'string' && SCHEME.test(scheme)))
    throw failed('INVALID_PARAMS', 'The scheme of the authentication must be a word')
  const authorization =
    credentials === undefined || credentials === null || credentials === ''
      ? undefined
      : `${scheme ?? 'Bearer'} ${headerOf(credentials, 'credentials')}`
  return {
    name: nameOf(config.id, 'id'),
    url,
    token: token === undefined || token === null || token === '' ? undefined : headerOf(token, 'token'),
    authorization
  }
}

function headerOf(value: unknown, at: string): string {
  if (typeof value === 'string' && value.length <= 4_096 && HEADER.test(value)) return value
  throw failed('INVALID_PARAMS', `${at} must be a text that a header may hold`)
}

/** What a request about configurations is about. */
export function placeOf(dialect: Dialect, params: Params): { taskId: string; name: string | undefined } {
  if (dialect === '1.0') return { taskId: needed(params.taskId, 'taskId'), name: nameOf(params.id, 'id') }
  const name = nameOf(params.pushNotificationConfigId, 'pushNotificationConfigId')
  return { taskId: needed(params.taskId ?? params.id, 'taskId'), name }
}

/** As clients of that version read it: what is secret of it never comes back. */
export function shownPush(
  dialect: Dialect,
  taskId: string,
  { name, url }: { name: string; url: string }
): object {
  if (dialect === '1.0') return { taskId, id: name, url }
  if (dialect === '0.2') return { id: taskId, pushNotificationConfig: { url } }
  return { taskId, pushNotificationConfig: { id: name, url } }
}
