import type { Kernel, Principal } from 'agent-platform'
import type { Exchange } from '../exchange/exchange.ts'
import type { ConnectionRow } from '../schemas/connections.ts'
import { connections } from '../schemas/connections.ts'
import type { ConnectionStore } from '../stores/connections.ts'
import type { RequestStore } from '../stores/requests.ts'
import { shown } from '../summary.ts'
import type { ProviderService } from './providers.ts'
import type { TokenService } from './tokens.ts'

export type Removal = ReturnType<typeof createRemoval>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'log'> {
  exchange: Exchange
  connectionStore: ConnectionStore
  requestStore: RequestStore
  providerService: ProviderService
  tokenService: TokenService
}

/** A day's worth of providers that are away is tried again within the hour. */
const LEFT = 50

/** Takes connections back: here first, then at the provider, and then they are forgotten. */
export function createRemoval(deps: Deps) {
  const { knex, transaction, facts, log, exchange } = deps
  const { connectionStore, requestStore, providerService, tokenService } = deps

  async function remove(by: Principal, id: string, isForced: boolean, version?: number): Promise<void> {
    const row = await connections.owned(knex, by, id, 'change')
    await takeBack(by, row, version)
    let isRevoked = false
    try {
      isRevoked = await tell(row)
    } catch (error) {
      if (!isForced) {
        const statusReason = `Taken back here; ${providerService.known(row.providerKey)?.name ?? row.providerKey} could not be told yet`
        await connectionStore.updateNoted(undefined, row, { statusReason })
        throw error
      }
    }
    await forget(by, row, isRevoked)
  }

  /** From here on nothing can use it, on no instance. */
  const takeBack = (by: Principal, row: ConnectionRow, version: number | undefined): Promise<void> =>
    transaction(async (trx) => {
      const before = await connections.lock(trx, row, version)
      const removingSince = new Date().toISOString()
      const changes = { status: 'revoked', statusReason: 'Taken back here', removingSince } as const
      await connectionStore.updateNoted(trx, row, changes)
      await requestStore.removeOf(trx, row)
      tokenService.changed(trx, row)
      if (before.status !== 'active') return
      const data = shown({ ...before, ...changes })
      await facts.record(trx, 'connections.revoked', by, { subject: row.id, owner: row.owner, data })
    })

  /** Whether the provider knows that it is over. */
  async function tell(row: ConnectionRow): Promise<boolean> {
    // What came of a renewal that was on its way is in the record by now, or its instance revokes it.
    const current = (await connectionStore.find(row)) ?? row
    const material = await tokenService.open(current)
    const provider = providerService.known(row.providerKey)
    if (!material || !provider || provider.missing.length > 0) return false
    return exchange.revoke(provider, material)
  }

  const forget = (by: Principal, row: ConnectionRow, isRevoked: boolean): Promise<void> =>
    transaction(async (trx) => {
      if ((await connectionStore.remove(trx, row)) === 0) return
      const { id, owner, providerKey } = row
      const data = { id, providerKey, isRevoked }
      await facts.record(trx, 'connections.deleted', by, { subject: id, owner, data })
      tokenService.changed(trx, row)
    })

  /** Those whose provider could not be told, or whose platform was killed in the middle of it. */
  async function finishLeft(): Promise<void> {
    for (const row of await connectionStore.listLeft(LEFT))
      try {
        const isRevoked = await tell(row)
        await forget(await tokenService.ownerOf(row), row, isRevoked)
      } catch (error) {
        const { code } = Object(error) as { code?: unknown }
        log.info({ connection: row.id, error: { code } }, 'a provider could not be told yet')
      }
  }

  return { remove, finishLeft }
}
