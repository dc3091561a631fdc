import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kernel, Principal } from 'agent-platform'
import { conflict, invalid, newId, unavailable } from 'agent-platform'
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

const VALID_MS = 600_000
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')
const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
const newSecret = () => randomBytes(32).toString('base64url')

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
    const [id, secret, browserSecret] = [newId('authorization'), newSecret(), newSecret()]
    const codeVerifier = generateRandomCodeVerifier()
    const authorizationUrl = await exchange.authorizationUrl(provider, {
      state: `${id}.${secret}`,
      codeVerifier,
      scopes
    })
    const { project, owner } = before ?? by
    const connection = { id: before?.id ?? newId('connection'), project, owner }
    const expiresAt = new Date(Date.now() + VALID_MS).toISOString()
    const row: RequestRow = {
      id,
      project,
      owner,
      connectionId: connection.id,
      providerKey: provider.key,
      hash: hashOf(secret),
      browserHash: isBrowser ? hashOf(browserSecret) : null,
      sealed: await verifiers.seal(project, id, codeVerifier),
      scopes,
      returnUrl: returnTo,
      actor: { id: by.id, type: by.type, ...(by.initiator && { initiator: by.initiator }) },
      expiresAt
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
      expiresAt,
      browserSecret: isBrowser ? browserSecret : undefined
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
    const [id = '', secret = ''] = state.split('.')
    const row = /^authorization_[0-9a-z]{26}$/.test(id) ? await requestStore.find(id) : undefined
    if (!row || !isSame(hashOf(secret), row.hash)) throw over()
    // Who was sent an address by somebody else would give them an account of their own.
    if (row.browserHash !== null && !isSame(hashOf(shown(id) ?? ''), row.browserHash))
      throw invalid('state', 'Another browser began this: connect again in this one', 'other_browser')
    if (!(await requestStore.take(row)) || Date.parse(row.expiresAt) < Date.now()) throw over()
    if (row.providerKey !== providerKey) throw over()
    return { ...row, codeVerifier: await verifiers.open(row.project, row.id, row.sealed) }
  }

  return { ask, take }
}

const over = () => invalid('state', 'That request is not known, or over: connect again', 'state_invalid')

function originOf(address: string): string {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address).origin
  throw new Error(`OAUTH_RETURN_URLS: ${JSON.stringify(address)} is no http or https origin`)
}

const described = (provider: Configured, name: string) =>
  provider.scopes.find((it) => it.name === name) ?? { name, description: null, isDefault: false }
