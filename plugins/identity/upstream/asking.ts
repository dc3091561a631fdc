import type { BasicCredentials } from 'agent-platform'
import { createBasicCredentials } from 'agent-platform'
import * as oauth from 'oauth4webapi'

const MOST_BYTES = 262_144
const TIMEOUT_MS = 10_000

/** Asks a provider that the operator chose: within a time, no more than a part of memory, and without following it elsewhere. */
export async function ask(url: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error('The reply of the provider is too large')
    chunks.push(chunk)
  }
  return new Response(Buffer.concat(chunks), { status: reply.status, headers: reply.headers })
}

export const optionsOf = (isProduction: boolean) => ({
  [oauth.customFetch]: ((url: string, options: RequestInit) => ask(url, options)) as never,
  [oauth.allowInsecureRequests]: !isProduction
})

/**
 * How the client authenticates at the token endpoint, as `proof`, and the options of that request: as the provider has it,
 * or not at all without a secret.
 */
export function createClientAuth(clientId: string, secret: string | undefined, isProduction: boolean) {
  const basic = secret === undefined ? undefined : createBasicCredentials(clientId, secret)
  const options = optionsOf(isProduction)
  return (methods: readonly string[] = ['client_secret_basic']) => {
    if (secret === undefined || !basic) return { proof: oauth.None(), options }
    if (!methods.includes('client_secret_basic')) return { proof: oauth.ClientSecretPost(secret), options }
    return { proof: inHeader, options: { ...options, [oauth.customFetch]: createBasicFetch(basic) as never } }
  }
}

/** The credentials are added by the `fetch`, which knows in which form the provider accepts them. */
const inHeader: oauth.ClientAuth = () => undefined

const createBasicFetch =
  (basic: BasicCredentials) =>
  (url: string, options: { headers: Record<string, string> }): Promise<Response> =>
    basic(
      (authorization) => ask(url, { ...options, headers: { ...options.headers, authorization } }),
      isRejected
    )

/** Whether the provider rejects the client: by the status of the standard, or by its word with another status. */
const isRejected = async (reply: Response): Promise<boolean> => {
  if (reply.status !== 400) return reply.status === 401
  const said: unknown = await reply
    .clone()
    .json()
    .catch(() => undefined)
  return (Object(said) as { error?: unknown }).error === 'invalid_client'
}
