import type { Kernel, Principal, Searching } from 'agent-platform'
import { conflict } from 'agent-platform'
import type { Exchange } from '../exchange/exchange.ts'
import type { Connection, ConnectionRow, Tested } from '../schemas/connections.ts'
import { connections } from '../schemas/connections.ts'
import { shown } from '../summary.ts'
import type { ProviderService } from './providers.ts'
import type { Refreshing } from './refreshing.ts'
import type { TokenService } from './tokens.ts'

export type ConnectionService = ReturnType<typeof createConnectionService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  exchange: Exchange
  providerService: ProviderService
  tokenService: TokenService
  refreshing: Refreshing
}

type Query = Searching & Partial<Pick<Connection, 'providerKey' | 'status'>>

/** Connections as their owners have them: to look at, rename, renew and try. */
export function createConnectionService(deps: Deps) {
  const { knex, transaction, facts, exchange, providerService, tokenService, refreshing } = deps

  async function list(by: Principal, { providerKey, status, ...page }: Query) {
    const { data, nextCursor } = await connections.list(knex, by, page, { providerKey, status })
    return { data: data.map(shown), nextCursor }
  }

  const find = (by: Principal, id: string, verb: 'read' | 'change') => connections.owned(knex, by, id, verb)
  const read = async (by: Principal, id: string) => shown(await find(by, id, 'read'))

  async function rename(by: Principal, id: string, { name }: { name?: string }, version?: number) {
    const found = await find(by, id, 'change')
    return transaction(async (trx) => {
      const { row, isChanged } = await connections.update(trx, found, { name }, version)
      if (!isChanged) return shown(row)
      await facts.record(trx, 'connections.updated', by, { subject: id, owner: row.owner, data: shown(row) })
      tokenService.changed(trx, row)
      return shown(row)
    })
  }

  async function refresh(by: Principal, id: string): Promise<Connection> {
    const row = active(await find(by, id, 'change'))
    if ((await tokenService.open(row))?.refreshToken === undefined)
      throw conflict(`${row.name} has nothing to renew its token with`, { code: 'not_renewable' })
    await refreshing.refresh(row)
    return shown(active(await find(by, id, 'change')))
  }

  /** Asks the provider; a token that it does not take is renewed, if it can be, and tried once more. */
  async function test(by: Principal, id: string): Promise<Tested> {
    const row = active(await find(by, id, 'change'))
    const provider = providerService.find(row.providerKey)
    if (!provider.account)
      throw conflict(`${provider.name} has no address at which a token could be tried`, {
        code: 'not_testable'
      })
    const from = performance.now()
    let account = await asked(row)
    if (account === null) {
      await refreshing.refresh(row, Date.now())
      const renewed = await find(by, id, 'change')
      account = renewed.status === 'active' ? await asked(renewed) : null
    }
    const { status, statusReason, account: known } = await find(by, id, 'change')
    const milliseconds = Math.round(performance.now() - from)
    const ok = account !== null && status === 'active'
    return { id, ok, status, statusReason, account: account?.label ?? known, milliseconds }

    async function asked(current: ConnectionRow) {
      const material = await tokenService.open(current)
      return material ? ((await exchange.account(provider, material.accessToken)) ?? null) : null
    }
  }

  return { list, read, rename, refresh, test }
}

function active(row: ConnectionRow): ConnectionRow {
  if (row.status === 'active') return row
  throw conflict(`${row.name} cannot be used: ${row.statusReason ?? row.status}`, {
    code: `connection_${row.status}`
  })
}
