import type { Kernel, Principal } from 'agent-platform'
import { conflict, forbidden, invalid } from 'agent-platform'
import type { Configured } from '../catalogue/configured.ts'
import type { Account, Exchange, Tokens } from '../exchange/exchange.ts'
import { shownCode } from '../exchange/faults.ts'
import type { ConnectionRow } from '../schemas/connections.ts'
import { connections } from '../schemas/connections.ts'
import type { ConnectionStore } from '../stores/connections.ts'
import type { RequestRow } from '../stores/requests.ts'
import { shown } from '../summary.ts'
import type { Flow } from './flow.ts'
import type { ProviderService } from './providers.ts'
import type { Material, TokenService } from './tokens.ts'
import { materialOf } from './tokens.ts'

export type GrantService = ReturnType<typeof createGrantService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'log'> {
  flow: Flow
  exchange: Exchange
  connectionStore: ConnectionStore
  providerService: ProviderService
  tokenService: TokenService
}

/** How it went, for who comes back. */
export interface Returned {
  readonly provider: Configured
  readonly connectionId: string
  readonly returnUrl: string | null
  /** Whether the browser that came back is the one that asked, and not just any to which the address was sent. */
  readonly isBound: boolean
  /** Who asked. */
  readonly owner: string
  readonly connection?: ConnectionRow
  readonly error?: { readonly code: string; readonly message: string }
}

/** Takes what people bring back from a provider: a connection, or a no. */
export function createGrantService(deps: Deps) {
  const { knex, transaction, facts, log, flow, exchange } = deps
  const { connectionStore, providerService, tokenService } = deps

  /** 400 for a state that is none; what goes wrong after that is told to who comes back. */
  async function finish(
    providerKey: string,
    brought: URLSearchParams,
    browserSecret: (id: string) => string | undefined
  ): Promise<Returned> {
    const provider = providerService.find(providerKey)
    const request = await flow.take(providerKey, brought.get('state') ?? '', browserSecret)
    const { connectionId, returnUrl, owner, browserHash } = request
    const outcome = { provider, connectionId, returnUrl, owner, isBound: browserHash !== null }
    try {
      return { ...outcome, connection: await grant(provider, request, brought) }
    } catch (error) {
      const { kind, code = 'failed', message } = Object(error) as Record<string, string>
      if (kind === undefined) throw error
      await note(request, message as string)
      return { ...outcome, error: { code, message: message as string } }
    }
  }

  async function grant(
    provider: Configured,
    request: RequestRow & { codeVerifier: string },
    brought: URLSearchParams
  ) {
    const before = await find(request)
    // Of another provider an error counts no more than a code does.
    const { error } = Object.fromEntries(brought)
    const checked = new URLSearchParams(brought)
    checked.delete('error')
    const returned = exchange.checkReturned(provider, checked)
    if (error !== undefined)
      throw invalid(
        'error',
        `${provider.name} says that it was not allowed: ${shownCode(error)}`,
        'not_allowed'
      )
    if (!brought.get('code')) throw invalid('code', `${provider.name} sent no code`, 'not_allowed')
    const by = actorOf(request, await tokenService.ownerOf(request))
    const tokens = await exchange.exchangeCode(provider, returned, request.codeVerifier)
    try {
      const account = await accountOf(provider, tokens)
      if (before.accountId !== null && account.id !== null && account.id !== before.accountId)
        throw conflict(`That is another account of ${provider.name}: connect it anew instead`, {
          code: 'another_account'
        })
      return await keep(by, before, request, tokens, account)
    } catch (error) {
      // Nobody has them, so that nobody could take them back later.
      await exchange
        .revoke(provider, tokens)
        .catch(({ code }) => log.warn({ connection: before.id, error: { code } }, 'a token was not revoked'))
      throw error
    }
  }

  async function find({ project, connectionId: id }: RequestRow): Promise<ConnectionRow> {
    const row = await connectionStore.find({ project, id })
    if (row && row.removingSince === null) return row
    throw conflict('The connection was deleted meanwhile', { code: 'connection_revoked' })
  }

  /** A name is nothing that a connection could fail for: the token was given. */
  async function accountOf(provider: Configured, { accessToken }: Tokens): Promise<Account> {
    const account = await exchange.account(provider, accessToken).catch(({ code }) => {
      log.warn({ provider: provider.key, error: { code } }, 'a provider did not say whose its token is')
      return undefined
    })
    if (account === null)
      throw forbidden(`${provider.name} does not take the token that it gave`, { code: 'token_refused' })
    return account ?? { id: null, label: null }
  }

  async function keep(
    by: Principal,
    before: ConnectionRow,
    request: RequestRow,
    tokens: Tokens,
    account: Account
  ): Promise<ConnectionRow> {
    const { project, owner, id } = before
    return transaction(async (trx) => {
      const current = await connections.lock(trx, { project, id })
      const sealed = await tokenService.seal(current, materialOf(tokens, await sameAccount(current, account)))
      const after = await connectionStore.updateTokens(trx, current, {
        ...sealed,
        scopes: tokens.scopes ?? [...request.scopes],
        account: account.label ?? current.account,
        accountId: account.id ?? current.accountId,
        status: 'active',
        statusReason: null
      })
      if (!after) throw conflict('The connection was deleted meanwhile', { code: 'connection_revoked' })
      await facts.record(trx, 'connections.connected', by, { subject: id, owner, data: shown(after) })
      tokenService.changed(trx, after)
      return after
    })
  }

  /** Its refresh token so far if the account is the same: many providers give one with the first consent only. */
  async function sameAccount(
    current: ConnectionRow,
    account: Account
  ): Promise<Pick<Material, 'refreshToken'> | undefined> {
    if (account.id === null || account.id !== current.accountId) return undefined
    const { refreshToken } = (await tokenService.open(current)) ?? {}
    return { refreshToken }
  }

  /** One that works already goes on as it was. */
  async function note({ project, connectionId: id }: RequestRow, statusReason: string): Promise<void> {
    const row = await connections.find(knex, id)
    if (row?.status === 'pending')
      await connectionStore.updateNoted(undefined, { project, id }, { statusReason })
  }

  return { finish }
}

const actorOf = ({ actor }: RequestRow, owner: Principal): Principal => ({
  ...owner,
  id: actor.id,
  type: actor.type
})
