import type { Kernel, Principal } from 'agent-platform'
import {
  conflict,
  invalid,
  newAuthorizationRequest,
  newId,
  stateInvalid,
  takeAuthorizationRequest,
  unavailable
} from 'agent-platform'
import { generateRandomCodeVerifier } from 'oauth4webapi'
import type { Configured } from '../catalogue/configured.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { ConnectionRow, NewConnection } from '../schemas/connections.ts'
import { connections } from '../schemas/connections.ts'
import type { ConnectionSettings } from '../settings.ts'
import type { ConnectionStore } from '../stores/connections.ts'
import type { RequestRow, RequestStore } from '../stores/requests.ts'
import type { ProviderService } from './providers.ts'

export type Flow = ReturnType<typeof createFlow>

interface Deps extends Pick<Kernel, 'knex' | 'vault' | 'transaction' | 'platform'> {
  settings: ConnectionSettings
  exchange: Exchange
  connectionStore: ConnectionStore
  requestStore: RequestStore
  providerService: ProviderService
}

/** Asks owners for connections, and knows by its state what comes back. */
export function createFlow(deps: Deps) {
  const { knex, vault, transaction, platform, settings } = deps
  const { exchange, connectionStore, requestStore, providerService } = deps
  const verifiers = vault.at('connections.authorization_request')
  const allowed = new Set([
    new URL(platform.baseUrl).origin,
    ...settings.returnUrls.split(',').flatMap((it) => (it.trim() ? originOf(it.trim()) : []))
  ])

  /** `isBrowser`: a session of a browser asks, which has to come back itself. */
  async function ask(by: Principal, input: NewConnection, isBrowser: boolean) {
    const { connectionId, returnUrl } = input
    const provider = providerService.find(input.providerKey, '/providerKey')
    if (provider.missing.length > 0)
      throw unavailable(`${provider.name} is not configured: set ${provider.missing.join(' and ')}`, {
        code: 'provider_not_configured'
      })
    const before = connectionId === undefined ? undefined : await again(by, connectionId, provider)
    const returnTo = returnUrl === undefined ? null : returnOf(returnUrl)
    const scopes = scopesOf(provider, input, before)
    const { state, stored, browser } = newAuthorizationRequest(newId('authorization'), isBrowser)
    const codeVerifier = generateRandomCodeVerifier()
    const authorizationUrl = await exchange.authorizationUrl(provider, { state, codeVerifier, scopes })
    const { project, owner } = before ?? by
    const connection = { id: before?.id ?? newId('connection'), project, owner }
    const row: RequestRow = {
      ...stored,
      project,
      owner,
      connectionId: connection.id,
      providerKey: provider.key,
      sealed: await verifiers.seal(project, stored.id, codeVerifier),
      scopes,
      returnUrl: returnTo,
      actor: { id: by.id, type: by.type, ...(by.initiator && { initiator: by.initiator }) }
    }
    await transaction(async (trx) => {
      if (!before) {
        const name = input.name ?? provider.name
        await connectionStore.insert(trx, { ...connection, providerKey: provider.key, name })
      }
      await requestStore.insert(trx, row)
    })
    return {
      connectionId: connection.id,
      authorizationUrl,
      scopes: scopes.map((name) => described(provider, name)),
      expiresAt: stored.expiresAt,
      browser
    }
  }

  async function again(by: Principal, id: string, { key }: Configured): Promise<ConnectionRow> {
    const row = await connections.owned(knex, by, id, 'change').catch((error) => {
      throw Object.assign(error, { param: '/connectionId' })
    })
    if (row.providerKey !== key)
      throw invalid('/providerKey', `/providerKey must be ${row.providerKey}, as the connection has it`)
    if (row.removingSince !== null)
      throw conflict('The connection is being revoked', { code: 'connection_revoked' })
    return row
  }

  /** What it has already is asked for again: most providers grant what was asked for last. */
  const scopesOf = (provider: Configured, { scopes }: NewConnection, before?: ConnectionRow): string[] => {
    const wanted = scopes ?? provider.scopes.filter(({ isDefault }) => isDefault).map(({ name }) => name)
    return [...new Set([...(before?.scopes ?? []), ...wanted])]
  }

  /** A path is one of the platform itself, at whichever address the browser knows it by. */
  function returnOf(address: string): string {
    const isPath = /^\/(?![/\\])/.test(address) && URL.canParse(address, platform.baseUrl)
    const url = isPath ? new URL(address, platform.baseUrl) : URL.parse(address)
    // A path that begins with two slashes would be read as another host.
    const isElsewhere = isPath && url?.pathname.startsWith('//')
    const isFine = url && !isElsewhere && /^https?:$/.test(url.protocol) && !url.username && !url.password
    if (!isFine) throw invalid('/returnUrl', '/returnUrl must be an http or https address')
    if (!allowed.has(url.origin))
      throw invalid('/returnUrl', `${url.origin} is no allowed origin: add it to OAUTH_RETURN_URLS`)
    return isPath ? `${url.pathname}${url.search}` : url.href
  }

  /** What a state stands for, once. `shown` is what the browser that comes was given, if it was. */
  async function take(
    providerKey: string,
    state: string,
    shown: (id: string) => string | undefined
  ): Promise<RequestRow & { readonly codeVerifier: string }> {
    const row = await takeAuthorizationRequest<RequestRow>(requestStore, state, shown)
    if (row.providerKey !== providerKey) throw stateInvalid()
    return { ...row, codeVerifier: await verifiers.open(row.project, row.id, row.sealed) }
  }

  return { ask, take }
}

function originOf(address: string): string {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address).origin
  throw new Error(`OAUTH_RETURN_URLS: ${JSON.stringify(address)} is no http or https origin`)
}

const described = (provider: Configured, name: string) =>
  provider.scopes.find((it) => it.name === name) ?? { name, description: null, isDefault: false }
