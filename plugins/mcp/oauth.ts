import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthTokens,
  StoredOAuthClientInformation
} from '@modelcontextprotocol/client'
import {
  auth,
  exchangeAuthorization,
  OAuthClientFlowError,
  OAuthError,
  RegistrationRejectedError
} from '@modelcontextprotocol/client'
import { upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Outgoing } from '../outgoing/contract.ts'

/** What is known of the authorization server of a tool server, and of the platform there. */
export interface Registration {
  readonly authorizationServerUrl: string
  readonly metadata?: AuthorizationServerMetadata
  readonly client: StoredOAuthClientInformation
  readonly redirectUri: string
  readonly resource?: string
  readonly scope?: string
}

/** An authorization that its owner has to give, in a browser. */
export interface Asked {
  readonly registration: Registration
  readonly codeVerifier: string
  readonly authorizationUrl: URL
}

interface Order {
  readonly serverUrl: URL
  readonly redirectUri: string
  readonly state: string
  /** Registered by hand, or earlier. */
  readonly client: StoredOAuthClientInformation | undefined
  /** Where what the platform is as a client can be read; undefined where the network has no access to it. */
  readonly clientMetadataUrl: string | undefined
  readonly clientMetadata: OAuthClientMetadata
  readonly resourceMetadataUrl?: URL | undefined
  readonly scope?: string | undefined
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const MOST_BYTES = 262_144
const SECONDS = 15

/** For the servers that an authorization leads to: strangers, like the tool server that names them. */
export const createOAuthFetch =
  (outgoing: Outgoing): Fetch =>
  async (url, { method = 'GET', headers, body, signal } = {}) => {
    const reply = await outgoing.fetch(url, {
      method,
      headers: [...new Headers(headers)],
      body: body === undefined || body === null ? undefined : String(body),
      // A secret may be in what is posted.
      redirect: method === 'GET' ? 'follow' : 'error',
      ...(signal && { signal }),
      maxBytes: MOST_BYTES,
      timeoutMs: SECONDS * 1_000
    })
    const text = await reply.text()
    // Responses of undici are none to the SDK.
    return new Response(text === '' ? null : text, { status: reply.status, headers: [...reply.headers] })
  }

/** Finds the authorization server, registers the platform there unless it is known, and makes the address to go to. */
export async function askForAuthorization(fetchFn: Fetch, order: Order): Promise<Asked> {
  const { serverUrl, redirectUri, clientMetadataUrl, clientMetadata, resourceMetadataUrl, scope } = order
  let client = order.client
  let codeVerifier = ''
  let authorizationUrl: URL | undefined
  let found:
    | { authorizationServerUrl: string; authorizationServerMetadata?: AuthorizationServerMetadata }
    | undefined
  await auth(
    {
      redirectUrl: redirectUri,
      clientMetadata,
      ...(clientMetadataUrl && { clientMetadataUrl }),
      state: () => order.state,
      // One that was registered by hand belongs to the authorization server that is found first, and to no other.
      clientInformation: (at) => client && { ...client, issuer: client.issuer ?? at?.issuer },
      saveClientInformation: (it) => void (client = it),
      tokens: () => undefined,
      saveTokens: () => {},
      redirectToAuthorization: (url) => void (authorizationUrl = url),
      saveCodeVerifier: (it) => void (codeVerifier = it),
      codeVerifier: () => codeVerifier,
      saveDiscoveryState: (it) => void (found = it),
      discoveryState: () => undefined
    },
    {
      serverUrl,
      fetchFn,
      forceReauthorization: true,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(scope && { scope })
    }
  )
  if (!authorizationUrl || !client || !found) throw new Error('no authorization was asked for')
  const { searchParams } = authorizationUrl
  const [resource, asked] = [searchParams.get('resource'), searchParams.get('scope')]
  return {
    codeVerifier,
    authorizationUrl,
    registration: {
      authorizationServerUrl: found.authorizationServerUrl,
      ...(found.authorizationServerMetadata && { metadata: found.authorizationServerMetadata }),
      client,
      redirectUri,
      ...(resource && { resource }),
      ...(asked && { scope: asked })
    }
  }
}

/** The tokens for what the owner brought back. */
export const exchangeCode = (
  fetchFn: Fetch,
  { authorizationServerUrl, metadata, client, redirectUri, resource }: Registration,
  { code, codeVerifier, iss }: { code: string; codeVerifier: string; iss: string | undefined }
): Promise<OAuthTokens> =>
  exchangeAuthorization(authorizationServerUrl, {
    ...(metadata && { metadata }),
    clientInformation: client,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier,
    redirectUri,
    ...(resource && { resource }),
    fetchFn
  })

/** Those of RFC 6749, 7591 and 8707; any other may be something that the authorization server was sent. */
const CODES: ReadonlySet<string> = new Set(
  (
    'invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope ' +
    'access_denied unsupported_response_type server_error temporarily_unavailable invalid_redirect_uri ' +
    'invalid_client_metadata invalid_target invalid_token insufficient_scope'
  ).split(' ')
)

/** In words of our own: what authorization servers say may hold what they were sent. */
export function oauthFaultOf(error: unknown, name: string): Error {
  if (error instanceof Error && 'kind' in error && typeof error.kind === 'string') {
    // A mismatch of issuers has a kind, too.
    if (!OAuthClientFlowError.isInstance(error)) return error
  }
  if (RegistrationRejectedError.isInstance(error))
    return upstreamFailed(
      `The authorization server of ${name} takes no new clients: register one there, and set its clientId`,
      { code: 'registration_refused' }
    )
  if (OAuthError.isInstance(error) && CODES.has(error.code))
    return upstreamFailed(`The authorization server of ${name} answers ${error.code}`, {
      code: 'authorization_failed'
    })
  if ((error as Error | undefined)?.name === 'TimeoutError')
    return upstreamTimeout(`The authorization server of ${name} did not answer in time`)
  return upstreamFailed(`The authorization server of ${name} gave no valid reply`, {
    code: 'authorization_failed'
  })
}
