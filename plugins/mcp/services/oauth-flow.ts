import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { computeScopeUnion } from '@modelcontextprotocol/client'
import type { Kernel, Principal } from 'agent-platform'
import { invalid, newId, upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Challenge } from '../connections/target.ts'
import type { Registration } from '../oauth.ts'
import { askForAuthorization, createOAuthFetch, exchangeCode, oauthFaultOf } from '../oauth.ts'
import type { AuthorizationStore } from '../stores/authorizations.ts'
import type { ServerRow, ServerStore } from '../stores/servers.ts'
import type { ClientSessions } from './client-session.ts'
import type { OAuthTokens } from './oauth-tokens.ts'

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

const VALID_MS = 600_000
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Asks owners to let the platform use a server on their behalf, and takes what comes back. */
export function createOauthFlow(deps: Deps) {
  const { vault, transaction, facts, platform, outgoing, oauthTokens, authorizationStore } = deps
  const { serverStore, clientSessions } = deps
  const requests = vault.at('mcp.authorization_request')
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

  /** Registered by hand, else what the platform was given there before, unless it has moved since. */
  async function clientOf(server: ServerRow, known: Registration | undefined) {
    const { auth, clientSecret, project, id } = server
    if (auth.clientId !== undefined) {
      const secret = clientSecret === null ? undefined : await secrets.open(project, id, clientSecret)
      const issuer = known?.client.client_id === auth.clientId ? known.client.issuer : undefined
      return { client_id: auth.clientId, client_secret: secret, issuer }
    }
    return known?.redirectUri === redirectUri ? known.client : undefined
  }

  /** The server said what is missing, so that there is no need to ask it. */
  const isWanted = async (server: ServerRow): Promise<boolean> =>
    server.auth.type === 'oauth' && (await oauthTokens.read(server))?.wanted !== undefined

  /** Where the owner of a server lets the platform use it. */
  async function ask(by: Principal, server: ServerRow, challenge: Challenge | undefined): Promise<string> {
    const material = await oauthTokens.read(server)
    const secret = randomBytes(32).toString('base64url')
    const id = newId('mcpconsent')
    const granted = material?.tokens?.scope ?? material?.registration.scope
    const scope = material?.wanted
      ? computeScopeUnion(granted, material.wanted)
      : (challenge?.scope ?? server.auth.scope)
    try {
      const { authorizationUrl, ...asked } = await askForAuthorization(createOAuthFetch(outgoing), {
        serverUrl: new URL(server.url as string),
        redirectUri,
        state: `${id}.${secret}`,
        client: await clientOf(server, material?.registration),
        clientMetadataUrl,
        clientMetadata,
        resourceMetadataUrl: challenge?.resourceMetadataUrl,
        scope
      })
      if (!isPage(authorizationUrl)) throw notAPage(server)
      const request: Request = { ...asked, generation: server.generation }
      await keep(by, server, { id, secret, request })
      return authorizationUrl.href
    } catch (error) {
      const fault = oauthFaultOf(error, server.name)
      await serverStore.updateNoted(server, { status: 'unauthorized', statusReason: fault.message })
      throw fault
    }
  }

  async function keep(
    { id: actorId, type, initiator }: Principal,
    { project, owner, id: serverId }: ServerRow,
    { id, secret, request }: { id: string; secret: string; request: Request }
  ) {
    const row = {
      id,
      project,
      owner,
      serverId,
      hash: hashOf(secret),
      sealed: await requests.seal(project, id, JSON.stringify(request)),
      actor: { id: actorId, type, ...(initiator && { initiator }) },
      expiresAt: new Date(Date.now() + VALID_MS).toISOString()
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

  /** The owner came back: what is brought counts once. Gives the server's name, and why it is of no use yet, if so. */
  async function finish({ state = '', code, iss, error }: Returned) {
    const row = await take(state)
    const server = await serverStore.find(row.serverId)
    const request = JSON.parse(await requests.open(row.project, row.id, row.sealed)) as Request
    if (server?.generation !== request.generation) throw over()
    if (error !== undefined || code === undefined) {
      const reason = /^[a-z_]{1,60}$/.test(error ?? '') ? error : 'no code'
      const statusReason = `It was not authorized: ${reason}`
      await serverStore.updateNoted(server, { status: 'unauthorized', statusReason })
      throw invalid(error === undefined ? 'code' : 'error', statusReason, 'not_authorized')
    }
    const principal = await clientSessions.ownerOf(server)
    const tokens = await exchange(server, request, code, iss)
    await transaction(async (trx) => {
      if ((await serverStore.take(trx, server)).generation !== request.generation) throw over()
      await oauthTokens.grant(trx, server, request.registration, tokens)
      await serverStore.updateNoted(server, { status: 'new', statusReason: null }, { on: trx })
      const { id, name, owner } = server
      const by = { ...principal, id: row.actor.id, type: row.actor.type }
      await facts.record(trx, 'mcp.server_authorized', by, { subject: id, owner, data: { id, name } })
    })
    const fault = await clientSessions
      .use(server, async () => undefined, { now: true })
      .catch(() => true as const)
    return { name: server.name, isConnected: fault === undefined }
  }

  async function take(state: string) {
    const [id = '', secret = ''] = state.split('.')
    const row = /^mcpconsent_/.test(id) ? await authorizationStore.findRequest(id) : undefined
    if (!row || !isSame(hashOf(secret), row.hash) || !(await authorizationStore.takeRequest(row)))
      throw over()
    if (Date.parse(row.expiresAt) < Date.now()) throw over()
    return row
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

const over = () =>
  invalid('state', 'That authorization is not known, or over: connect again', 'state_invalid')
const notAPage = ({ name }: ServerRow) =>
  upstreamFailed(`The authorization server of ${name} has no page that may be shown`, {
    code: 'authorization_failed'
  })
const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
