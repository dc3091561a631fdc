import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel, Principal } from 'agent-platform'
import { conflict, unavailable, upstreamTimeout } from 'agent-platform'
import type { Configured } from '../catalogue/configured.ts'
import type { Exchange, Tokens } from '../exchange/exchange.ts'
import { isOver, isRejected, waitOf } from '../exchange/faults.ts'
import type { ConnectionRow } from '../schemas/connections.ts'
import type { ConnectionSettings } from '../settings.ts'
import type { ConnectionStore } from '../stores/connections.ts'
import type { ProviderService } from './providers.ts'
import type { Held, Key, Material, TokenService } from './tokens.ts'
import { CHANGED, materialOf } from './tokens.ts'

export type Refreshing = ReturnType<typeof createRefreshing>

interface Deps extends Pick<Kernel, 'facts' | 'transaction' | 'signals' | 'instances' | 'log'> {
  settings: ConnectionSettings
  exchange: Exchange
  connectionStore: ConnectionStore
  providerService: ProviderService
  tokenService: TokenService
}

/** Signals may be lost, and who has the lease may be killed. */
const LOOK_MS = 250
/** Beyond what the provider may take: for what is written afterwards. */
const MORE_SECONDS = 5
/** After a failure that said nothing of when to come again. */
const PAUSE_SECONDS = 2
/** Rejections in a row, in words that are not known, after which a connection is expired. */
const MOST_REFUSALS = 3

/** One refresh of each token at a time, over all instances; who waits meanwhile has what came of it. */
export function createRefreshing(deps: Deps) {
  const { facts, transaction, signals, instances, log, settings } = deps
  const { exchange, connectionStore, providerService, tokenService } = deps
  const seconds = settings.providerSeconds + MORE_SECONDS
  const running = new Map<string, Promise<Held | undefined>>()
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  let hearing: Disposable | undefined

  /**
   * Returns once the connection has another token than that of the row, or none any more; or fails as the provider does.
   * Gives what there is then, where it is active.
   */
  function refresh(row: ConnectionRow, refusedAt?: number): Promise<Held | undefined> {
    const place = tokenService.placeOf(row)
    const known = running.get(place)
    if (known) return known
    const started = refreshOnce(row, refusedAt).finally(() => running.delete(place))
    running.set(place, started)
    return started
  }

  async function refreshOnce(used: ConnectionRow, refusedAt: number | undefined): Promise<Held | undefined> {
    const until = Date.now() + 2 * seconds * 1_000
    let dead: readonly number[] = []
    let isTold = false
    while (Date.now() < until) {
      const heard = wakened(used)
      // Another instance has it then: to look is enough.
      const lease = isTold
        ? undefined
        : await connectionStore.takeLease(used, { seconds, by: instances.id(), dead })
      if (lease) return exchangeFor(lease.row, { isInterrupted: lease.isInterrupted, refusedAt })
      const row = await connectionStore.find(used)
      if (row?.generation !== used.generation || row.sealed === null) {
        // By the same signal it was forgotten already.
        if (!isTold) tokenService.forget(used)
        return row?.status === 'active' ? { row, material: await tokenService.open(row) } : undefined
      }
      const wait = row.retryAt === null ? 0 : Date.parse(row.retryAt) - Date.now()
      if (wait > 0) throw later(providerService.known(row.providerKey)?.name ?? row.providerKey, wait)
      dead = row.refreshingUntil === null ? [] : await instances.dead()
      if (row.refreshingBy !== null && dead.includes(row.refreshingBy)) continue
      isTold = await Promise.race([heard.then(() => true), delay(LOOK_MS, false)])
    }
    throw upstreamTimeout('The renewal of the connection takes too long')
  }

  /** Resolves when another instance says that it changed. */
  function wakened(key: Key): Promise<void> {
    const place = tokenService.placeOf(key)
    const known = waiting.get(place) ?? Promise.withResolvers<void>()
    waiting.set(place, known)
    return known.promise
  }

  /** By the instance that has the lease. */
  async function exchangeFor(
    row: ConnectionRow,
    { isInterrupted, refusedAt }: { isInterrupted: boolean; refusedAt: number | undefined }
  ): Promise<Held | undefined> {
    try {
      const [by, material] = await Promise.all([tokenService.ownerOf(row), tokenService.open(row)])
      const provider = providerService.known(row.providerKey)
      if (!provider) throw conflict(`The provider ${row.providerKey} is gone`, { code: 'provider_gone' })
      if (material?.refreshToken === undefined) {
        await tokenService.end(by, row, ...overOf(provider, refusedAt !== undefined))
        return undefined
      }
      let tokens: Tokens
      try {
        tokens = await exchange.refresh(provider, material.refreshToken)
      } catch (error) {
        const isLast = isRejected(error) && row.refusals + 1 >= MOST_REFUSALS
        if (!isOver(error) && !isLast) throw error
        await tokenService.end(by, row, 'expired', refusedReason(provider, isInterrupted, error as Error))
        return undefined
      }
      return await keep(by, row, provider, tokens, {
        ...material,
        ...(refusedAt !== undefined && { refusedAt })
      })
    } catch (error) {
      const wait = waitOf(error) ?? PAUSE_SECONDS
      const refusals = row.refusals + (isRejected(error) ? 1 : 0)
      await connectionStore.removeLease(row, new Date(Date.now() + wait * 1_000), refusals)
      throw error
    }
  }

  async function keep(
    by: Principal,
    row: ConnectionRow,
    provider: Configured,
    tokens: Tokens,
    before: Material
  ): Promise<Held | undefined> {
    const material = materialOf(tokens, before)
    const sealed = await tokenService.seal(row, material)
    const kept = await transaction(async (trx) => {
      const scopes = tokens.scopes ?? row.scopes
      const after = await connectionStore.updateTokens(trx, row, { ...sealed, scopes, statusReason: null })
      if (!after) return undefined
      const { id, owner, providerKey } = row
      const data = { id, providerKey, expiresAt: sealed.expiresAt ?? null }
      await facts.record(trx, 'connections.refreshed', by, { subject: id, owner, data })
      tokenService.changed(trx, row)
      return after
    })
    if (kept) return { row: kept, material }
    // It was taken back meanwhile, with a token that is not the latest any more.
    const latest = {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? before.refreshToken
    }
    await exchange
      .revoke(provider, latest)
      .catch((error) =>
        log.warn({ connection: row.id, error: { code: error?.code } }, 'a token was not revoked')
      )
    tokenService.forget(row)
    return undefined
  }

  return {
    refresh,
    start() {
      hearing = signals.on(CHANGED, (place) => {
        waiting.get(String(place))?.resolve()
        waiting.delete(String(place))
      })
    },
    stop: () => hearing?.[Symbol.dispose]()
  }
}

/** A token without an end that is not taken any more was taken back; one with an end has ended. */
const overOf = ({ name }: Configured, isEndless: boolean): ['expired' | 'revoked', string] =>
  isEndless
    ? ['revoked', `${name} does not take its token any more: connect again`]
    : ['expired', `Its token has ended, and ${name} gave none to renew it with: connect again`]

const refusedReason = ({ name }: Configured, isInterrupted: boolean, { message }: Error): string =>
  isInterrupted
    ? `The platform was stopped while it renewed the token, and ${name} gives it no second time: connect again`
    : `${message}: connect again`

const later = (name: string, milliseconds: number): Error => {
  const wait = Math.max(1, Math.ceil(milliseconds / 1_000))
  return unavailable(`${name} is to be asked again in ${wait} s`, {
    code: 'provider_paused',
    headers: { 'retry-after': String(wait) }
  })
}
