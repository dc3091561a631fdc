import { setTimeout as sleep } from 'node:timers/promises'
import type { OAuthTokens as Tokens } from '@modelcontextprotocol/client'
import { OAuthError, refreshAuthorization } from '@modelcontextprotocol/client'
import type { Kernel, Trx } from 'agent-platform'
import { newId, upstreamTimeout } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Registration } from '../oauth.ts'
import { createOAuthFetch, oauthFaultOf } from '../oauth.ts'
import type { AuthorizationStore } from '../stores/authorizations.ts'
import type { ServerRow } from '../stores/servers.ts'

export type OAuthTokens = ReturnType<typeof createOauthTokens>

/** What is kept, sealed, of the authorization of one server. */
export interface Material {
  readonly registration: Registration
  /** Missing while its owner has to give it, anew or for more. */
  readonly tokens?: Tokens
  readonly expiresAt?: number
  /** What the server said is missing. */
  readonly wanted?: string
  /** The authorization server may no longer know the client: it is registered again, unless it was registered by hand. */
  readonly isStale?: boolean
}

interface Deps extends Pick<Kernel, 'vault'> {
  outgoing: Outgoing
  authorizationStore: AuthorizationStore
}

type Server = Pick<ServerRow, 'id' | 'project' | 'owner' | 'name'>

const LEASE_SECONDS = 30
const POLL_MS = 200
/** Before a token is over: it has yet to travel. */
const EARLY_MS = 30_000
/** What another instance wrote is known that late. */
const BELIEVE_MS = 3_000

const keyOf = ({ id, project }: Server) => ({ project, serverId: id })

/** The tokens by which the platform may use servers: one refresh of each at a time, over all instances. */
export function createOauthTokens({ vault, outgoing, authorizationStore }: Deps) {
  const sealing = vault.at('mcp.server', 'oauth')
  const known = new LRUCache<string, Material>({ max: 5_000, ttl: BELIEVE_MS })
  const refreshing = new Map<string, Promise<boolean>>()

  async function read(server: Server): Promise<Material | undefined> {
    const row = await authorizationStore.find(keyOf(server))
    if (!row) return undefined
    const material = JSON.parse(await sealing.open(server.project, server.id, row.sealed)) as Material
    known.set(server.id, material)
    return material
  }

  async function write(on: Trx | undefined, server: Server, material: Material): Promise<void> {
    const { project, owner, id: serverId } = server
    const sealed = await sealing.seal(project, serverId, JSON.stringify(material))
    const expiresAt = material.expiresAt === undefined ? null : new Date(material.expiresAt).toISOString()
    known.delete(serverId)
    await authorizationStore.replace(on, {
      id: newId('mcpauth'),
      project,
      owner,
      serverId,
      sealed,
      expiresAt
    })
  }

  const withTokens = (registration: Registration, tokens: Tokens): Material => ({
    registration,
    tokens,
    ...(tokens.expires_in !== undefined && { expiresAt: Date.now() + tokens.expires_in * 1_000 })
  })

  /** Undefined where there is none that could be used. */
  async function token(server: Server): Promise<string | undefined> {
    const material = known.get(server.id) ?? (await read(server))
    const current = material?.tokens?.access_token
    if (current === undefined || material?.expiresAt === undefined) return current
    if (Date.now() < material.expiresAt - EARLY_MS) return current
    if (material.tokens?.refresh_token === undefined) return current
    return (await refresh(server, current)) ? (await read(server))?.tokens?.access_token : undefined
  }

  /** All that the server, or the one that authorizes for it, was given or gave. */
  async function secrets(server: Server): Promise<string[]> {
    const material = known.get(server.id) ?? (await read(server))
    const { tokens, registration } = material ?? {}
    const all = [
      tokens?.access_token,
      tokens?.refresh_token,
      tokens?.id_token,
      registration?.client.client_secret
    ]
    return all.filter((secret) => secret !== undefined)
  }

  /** Whether there is another token than the one that was used. */
  function refresh(server: Server, used: string): Promise<boolean> {
    const running = refreshing.get(server.id)
    if (running) return running
    const started = refreshOnce(server, used).finally(() => refreshing.delete(server.id))
    refreshing.set(server.id, started)
    return started
  }

  async function refreshOnce(server: Server, used: string): Promise<boolean> {
    const until = Date.now() + LEASE_SECONDS * 1_000
    while (Date.now() < until) {
      const material = await read(server)
      if (!material?.tokens) return false
      if (material.tokens.access_token !== used) return true
      if (material.tokens.refresh_token === undefined) return false
      if (await authorizationStore.takeLease(keyOf(server), LEASE_SECONDS)) return exchange(server, used)
      await sleep(POLL_MS)
    }
    throw upstreamTimeout(`The authorization of ${server.name} takes too long`)
  }

  /** By the instance that has the lease. */
  async function exchange(server: Server, used: string): Promise<boolean> {
    const material = await read(server)
    const refreshToken = material?.tokens?.refresh_token
    if (!material || refreshToken === undefined || material.tokens?.access_token !== used) {
      await authorizationStore.removeLease(keyOf(server))
      return material?.tokens !== undefined && material.tokens.access_token !== used
    }
    const { registration } = material
    try {
      const { authorizationServerUrl, metadata, client, resource } = registration
      const tokens = await refreshAuthorization(authorizationServerUrl, {
        ...(metadata && { metadata }),
        clientInformation: client,
        refreshToken,
        ...(resource && { resource }),
        fetchFn: createOAuthFetch(outgoing)
      })
      await write(undefined, server, withTokens(registration, { scope: material.tokens.scope, ...tokens }))
      return true
    } catch (error) {
      if (isRefused(error)) {
        await write(undefined, server, { registration, isStale: true })
        return false
      }
      await authorizationStore.removeLease(keyOf(server))
      throw oauthFaultOf(error, server.name)
    }
  }

  /** The authorization server rejected the client: the next authorization registers another one. */
  async function discardClient(server: Server): Promise<void> {
    const material = await read(server)
    if (material) await write(undefined, server, { ...material, isStale: true })
  }

  /** What the owner is asked for next time, beyond what was given. */
  async function want(server: Server, scope: string): Promise<void> {
    const material = await read(server)
    if (material) await write(undefined, server, { ...material, wanted: scope })
  }

  async function remove(trx: Trx, server: Server): Promise<void> {
    await authorizationStore.removeOfServer(trx, keyOf(server))
    known.delete(server.id)
  }

  return {
    token,
    secrets,
    refresh,
    read,
    want,
    discardClient,
    remove,
    grant: (trx: Trx, server: Server, registration: Registration, tokens: Tokens) =>
      write(trx, server, withTokens(registration, tokens))
  }
}

/** The authorization server does not know the client, or no longer. */
export const isClientRejected = (error: unknown): boolean =>
  OAuthError.isInstance(error) && ['invalid_client', 'unauthorized_client'].includes(error.code)

/** Refreshing again would not help. */
const isRefused = (error: unknown): boolean =>
  OAuthError.isInstance(error) &&
  ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope'].includes(error.code)
