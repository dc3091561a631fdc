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

/** How the client proves to be itself: as the provider has it, or not at all where it has no secret. */
export const proofOf = (secret: string | undefined, methods: readonly string[] = ['client_secret_basic']) =>
  secret === undefined
    ? oauth.None()
    : methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(secret)
      : oauth.ClientSecretPost(secret)
