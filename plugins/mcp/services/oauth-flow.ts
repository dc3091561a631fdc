import { computeScopeUnion } from '@modelcontextprotocol/client'
import type { AuthorizationRequest, BrowserSecret, Kernel, Principal } from 'agent-platform'
import {
  invalid,
  newAuthorizationRequest,
  newId,
  stateInvalid,
  takeAuthorizationRequest,
  upstreamFailed
} from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Challenge } from '../connections/target.ts'
import type { Registration } from '../oauth.ts'
import { askForAuthorization, createOAuthFetch, exchangeCode, oauthFaultOf } from '../oauth.ts'
import type { AuthorizationStore, RequestRow } from '../stores/authorizations.ts'
import type { ServerRow, ServerStore } from '../stores/servers.ts'
import type { ClientSessions } from './client-session.ts'
import type { Material, OAuthTokens } from './oauth-tokens.ts'
import { isClientRejected } from './oauth-tokens.ts'

export type OAuthFlow = ReturnType<typeof createOauthFlow>

interface Deps extends Pick<Kernel, 'vault' | 'transaction' | 'facts' | 'platform'> {
  outgoing: Outgoing
  oauthTokens: OAuthTokens
  authorizationStore: AuthorizationStore
  serverStore: ServerStore
  clientSessions: ClientSessions
}

interface Request {
  readonly registration: Registration
  readonly codeVerifier: string
  readonly generation: number
}

export interface Returned {
  readonly state?: string
  readonly code?: string
  readonly iss?: string
  readonly error?: string
}

/** Where the owner authorizes a server. */
export interface Authorization {
  readonly authorizationUrl: string
  /** For the browser that requests it; undefined if a program does. */
  readonly browser: BrowserSecret | undefined
}

/** Asks owners to let the platform use a server on their behalf, and takes what comes back. */
export function createOauthFlow(deps: Deps) {
  const { vault, transaction, facts, platform, outgoing, oauthTokens, authorizationStore } = deps
  const { serverStore, clientSessions } = deps
  const requests = vault.at('mcp.authorization_request')
  const pending = { find: authorizationStore.findRequest, take: authorizationStore.takeRequest }
  const secrets = vault.at('mcp.server', 'client')
  const redirectUri = `${platform.baseUrl}/v1/mcp/oauth/callback`
  const clientMetadataUrl = /^https:/.test(platform.baseUrl)
    ? `${platform.baseUrl}/v1/mcp/oauth/client.json`
    : undefined
  const clientMetadata = {
    client_name: 'Agent Platform',
    client_uri: platform.baseUrl,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none'
  }

  /**
   * Registered by hand, else the registration so far as long as its tokens work: authorization servers delete clients, which
   * only the person on their page would see. Undefined registers the platform again.
   */
  async function clientOf(server: ServerRow, material: Material | undefined) {
    const known = material?.registration
    const { auth, clientSecret, project, id } = server
    if (auth.clientId !== undefined) {
      const secret = clientSecret === null ? undefined : await secrets.open(project, id, clientSecret)
      const issuer = known?.client.client_id === auth.clientId ? known.client.issuer : undefined
      return { client_id: auth.clientId, client_secret: secret, issuer }
    }
    const isKnown = material?.wanted !== undefined && material.tokens !== undefined && !material.isStale
    if (!isKnown || known?.redirectUri !== redirectUri || isSecretOver(known.client)) return undefined
    return known.client
  }

  /** The server said what is missing, so that there is no need to ask it. */
  const isWanted = async (server: ServerRow): Promise<boolean> =>
    server.auth.type === 'oauth' && (await oauthTokens.read(server))?.wanted !== undefined

  /** Where the owner of a server lets the platform use it. `isBrowser`: only the browser that requests it can complete it. */
  async function ask(
    by: Principal,
    server: ServerRow,
    challenge: Challenge | undefined,
    isBrowser: boolean
  ): Promise<Authorization> {
    const material = await oauthTokens.read(server)
    const { state, stored, browser } = newAuthorizationRequest(newId('mcpconsent'), isBrowser)
    const granted = material?.tokens?.scope ?? material?.registration.scope
    const scope = material?.wanted
      ? computeScopeUnion(granted, material.wanted)
      : (challenge?.scope ?? server.auth.scope)
    try {
      const { authorizationUrl, ...asked } = await askForAuthorization(createOAuthFetch(outgoing), {
        serverUrl: new URL(server.url as string),
        redirectUri,
        state,
        client: await clientOf(server, material),
        clientMetadataUrl,
        clientMetadata,
        resourceMetadataUrl: challenge?.resourceMetadataUrl,
        scope
      })
      if (!isPage(authorizationUrl)) throw notAPage(server)
      const request: Request = { ...asked, generation: server.generation }
      await keep(by, server, stored, request)
      return { authorizationUrl: authorizationUrl.href, browser }
    } catch (error) {
      const fault = oauthFaultOf(error, server.name)
      await serverStore.updateNoted(server, { status: 'unauthorized', statusReason: fault.message })
      throw fault
    }
  }

  async function keep(
    { id: actorId, type, initiator }: Principal,
    { project, owner, id: serverId }: ServerRow,
    stored: AuthorizationRequest,
    request: Request
  ) {
    const row: RequestRow = {
      ...stored,
      project,
      owner,
      serverId,
      sealed: await requests.seal(project, stored.id, JSON.stringify(request)),
      actor: { id: actorId, type, ...(initiator && { initiator }) }
    }
    await transaction((trx) => authorizationStore.insertRequest(trx, row))
  }

  function isPage(url: URL): boolean {
    try {
      return outgoing.check(url.href, 'authorizationUrl') !== undefined
    } catch {
      return false
    }
  }

  /** Completes an authorization, once. Returns the server, its owner, and whether it can be reached. */
  async function finish(
    { state = '', code, iss, error }: Returned,
    browserSecret: (id: string) => string | undefined
  ) {
    const row = await takeAuthorizationRequest<RequestRow>(pending, state, browserSecret)
    const server = await serverStore.find(row.serverId)
    const request = JSON.parse(await requests.open(row.project, row.id, row.sealed)) as Request
    if (server?.generation !== request.generation) throw stateInvalid()
    if (error !== undefined || code === undefined) {
      const reason = /^[a-z_]{1,60}$/.test(error ?? '') ? error : 'no code'
      const statusReason = `It was not authorized: ${reason}`
      await serverStore.updateNoted(server, { status: 'unauthorized', statusReason })
      throw invalid(error === undefined ? 'code' : 'error', statusReason, 'not_authorized')
    }
    const principal = await clientSessions.ownerOf(server)
    const tokens = await exchange(server, request, code, iss)
    await transaction(async (trx) => {
      if ((await serverStore.take(trx, server)).generation !== request.generation) throw stateInvalid()
      await oauthTokens.grant(trx, server, request.registration, tokens)
      await serverStore.updateNoted(server, { status: 'new', statusReason: null }, { on: trx })
      const { id, name, owner } = server
      const by = { ...principal, id: row.actor.id, type: row.actor.type }
      await facts.record(trx, 'mcp.server_authorized', by, { subject: id, owner, data: { id, name } })
    })
    const fault = await clientSessions
      .use(server, async () => undefined, { now: true })
      .catch(() => true as const)
    return { server, isConnected: fault === undefined }
  }

  async function exchange(
    server: ServerRow,
    { registration, codeVerifier }: Request,
    code: string,
    iss?: string
  ) {
    try {
      return await exchangeCode(createOAuthFetch(outgoing), registration, { code, codeVerifier, iss })
    } catch (error) {
      if (isClientRejected(error)) await oauthTokens.discardClient(server)
      const fault = oauthFaultOf(error, server.name)
      await serverStore.updateNoted(server, { status: 'unauthorized', statusReason: fault.message })
      throw fault
    }
  }

  return {
    isWanted,
    ask,
    finish,
    clientMetadata: () => ({
      client_id: `${platform.baseUrl}/v1/mcp/oauth/client.json`,
      ...clientMetadata
    })
  }
}

/** `client_secret_expires_at` is in seconds since 1970; 0 means never. */
const isSecretOver = (client: object): boolean => {
  const { client_secret_expires_at: at = 0 } = client as { client_secret_expires_at?: number }
  return at !== 0 && at * 1_000 <= Date.now()
}
const notAPage = ({ name }: ServerRow) =>
  upstreamFailed(`The authorization server of ${name} has no page that may be shown`, {
    code: 'authorization_failed'
  })
