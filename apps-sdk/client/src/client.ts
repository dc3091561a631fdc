import { createCall } from './call.ts'
import type { Executions, Spaces, Tasks } from './following.ts'
import { createExecutions, createSpaces, createTasks } from './following.ts'
import type { Credential, IdentitySession } from './identity.ts'
import { createIdentity } from './identity.ts'
import { itemsOf } from './list.ts'
import type { Call, List, Method } from './operations.ts'
import type { Runs } from './runs.ts'
import { createRuns } from './runs.ts'
import type { Runtimes } from './runtimes.ts'
import { createRuntimes } from './runtimes.ts'
import type { AnyInit } from './send.ts'
import { createSend } from './send.ts'

export interface ClientOptions {
  /** Address of the platform, such as `http://127.0.0.1:3000`. */
  readonly baseUrl: string
  /** A project key, a key of a principal, or an access token. */
  readonly apiKey?: string | undefined
  /**
   * Of a person who has signed in: an access token, what gives one, or a session, which is refreshed by itself. The credential
   * of projects and project keys, and of all calls while there is no `apiKey`.
   */
  readonly identityToken?: string | IdentitySession | (() => Promise<string>) | undefined
  /** For whom a service acts. */
  readonly initiator?: string | undefined
  /** Default: the `fetch` of the environment. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a call is tried again that may be repeated. Default: 2. */
  readonly retries?: number | undefined
  /** How often in a row a broken stream is taken up again without anything coming. Default: 10. */
  readonly resumes?: number | undefined
  /** Seconds without a sign of life after which a stream counts as broken. Default: 60. */
  readonly silence?: number | undefined
}

export interface Client {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly patch: Call<'patch'>
  readonly delete: Call<'delete'>
  readonly list: List
  readonly runs: Runs
  readonly tasks: Tasks
  readonly executions: Executions
  readonly spaces: Spaces
  readonly runtimes: Runtimes
}

export function createClient(options: ClientOptions): Client {
  const { baseUrl, retries = 2, resumes = 10, silence = 60 } = options
  const { fetch = (input, init) => globalThis.fetch(input, init) } = options
  const { origin, username, password } = new URL(baseUrl)
  // It stands in errors.
  if (username || password) throw new TypeError('baseUrl must be without user and password')
  const send = createSend({
    baseUrl,
    origin,
    headers: headersOf(options),
    credentialOf: credentials(options, fetch),
    fetch
  })
  const call = createCall({ send, origin, retries })
  const connection = { send, call, origin, retries, resumes, silenceMs: silence * 1000 }
  const by =
    (method: Method) =>
    (path: string, init?: AnyInit): Promise<unknown> =>
      call(method, path, init)
  return {
    get: by('get') as Call<'get'>,
    post: by('post') as Call<'post'>,
    put: by('put') as Call<'put'>,
    patch: by('patch') as Call<'patch'>,
    delete: by('delete') as Call<'delete'>,
    list: ((path: string, init?: AnyInit) => itemsOf(call, path, init)) as List,
    runs: createRuns(connection),
    tasks: createTasks(connection),
    executions: createExecutions(connection),
    spaces: createSpaces(connection),
    runtimes: createRuntimes(connection)
  }
}

function headersOf({ initiator }: ClientOptions): Record<string, string> {
  const actor = visible('initiator', initiator)
  return actor === undefined ? {} : { 'x-initiator': actor }
}

/** Where a person alone may go. */
const PROJECTS = /^\/v1\/projects(?:\/|$)/

/** By the path that is called. */
function credentials(
  { baseUrl, apiKey, identityToken }: ClientOptions,
  fetch: typeof globalThis.fetch
): (path: string) => Credential | undefined {
  const key = fixed('apiKey', apiKey)
  const identity = identityOf(identityToken, baseUrl, fetch)
  return (path) => (PROJECTS.test(path) ? (identity ?? key) : (key ?? identity))
}

function identityOf(
  given: ClientOptions['identityToken'],
  baseUrl: string,
  fetch: typeof globalThis.fetch
): Credential | undefined {
  if (given === undefined || typeof given === 'string') return fixed('identityToken', given)
  if (typeof given === 'object') return createIdentity(given, { baseUrl: baseUrl.replace(/\/+$/, ''), fetch })
  return { token: given, renew: async () => undefined }
}

function fixed(name: string, value: string | undefined): Credential | undefined {
  const token = visible(name, value)
  return token === undefined ? undefined : { token: async () => token, renew: async () => undefined }
}

/** `fetch` would quote what it cannot send in its error. */
function visible(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return value
  throw new TypeError(`${name} must be visible ASCII characters, without spaces or line ends`)
}
