import type { Kernel, Principal } from 'agent-platform'
import { conflict, newId } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import { amountOf, shown } from '../schemas/amount.ts'
import type { Cap, CapChanges, CapQuery, NewCap, StoredCap } from '../schemas/caps.ts'
import { caps } from '../schemas/caps.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { CapStore } from '../stores/caps.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import type { Known } from './known.ts'

export type CapService = ReturnType<typeof createCapService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  known: Known
  agents: Agents
  sessions: Sessions
  accountStore: AccountStore
  ledgerStore: LedgerStore
  capStore: CapStore
}

/** What people let themselves, their agents and their sessions spend. */
export function createCapService(deps: Deps) {
  const { known, knex, transaction, facts, agents, sessions, accountStore, ledgerStore, capStore } = deps

  async function create(by: Principal, { agentId, sessionId, period, limit }: NewCap): Promise<Cap> {
    if (agentId !== undefined) await agents.owned(by, agentId, 'change', '/agentId')
    if (sessionId !== undefined) await sessions.owned(by, sessionId, 'change', '/sessionId')
    const { project, owner } = by
    const of = { agentId: agentId ?? null, sessionId: sessionId ?? null }
    const accountId = await known.account(project, owner)
    const made = await transaction(async (trx) => {
      // What is charged meanwhile is in the ledger then, or finds the cap.
      await accountStore.lock(trx, [accountId])
      const spent = String(await ledgerStore.findSpent(trx, project, accountId, of, period))
      const window = await capStore.findWindow(trx, period)
      const amounts = { limit: String(amountOf(limit, '/limit', { zero: true })), spent, reserved: '0' }
      const row = await caps.insert(trx, {
        id: newId('cap'),
        project,
        owner,
        ...of,
        token: null,
        period,
        ...amounts,
        window,
        told: 0
      })
      await facts.record(trx, 'credits.cap_created', by, { subject: row.id, owner, data: capOf(row, window) })
      return capOf(row, window)
    })
    known.capsChanged(project, owner)
    return made
  }

  async function list(by: Principal, { agentId, sessionId, ...page }: CapQuery) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    if (sessionId !== undefined) await sessions.owned(by, sessionId, 'read', 'sessionId')
    const found = await caps.list(knex, by, page, { agentId, sessionId })
    const windows = await capStore.listWindows()
    return { ...found, data: found.data.map((row) => capOf(row, windows[row.period])) }
  }

  async function read(by: Principal, id: string): Promise<Cap> {
    const row = await caps.owned(knex, by, id, 'read')
    return capOf(row, (await capStore.listWindows())[row.period])
  }

  /** A token says itself what is spent by it, and to forget what was would let it be spent again. */
  async function editable(by: Principal, id: string) {
    const found = await caps.owned(knex, by, id, 'change')
    if (found.token === null) return found
    throw conflict('What a token spends is limited by the token', { code: 'cap_of_token' })
  }

  async function update(by: Principal, id: string, { limit }: CapChanges, version?: number): Promise<Cap> {
    const found = await editable(by, id)
    const most = limit === undefined ? undefined : String(amountOf(limit, '/limit', { zero: true }))
    return transaction(async (trx) => {
      const window = await capStore.findWindow(trx, found.period)
      const before = await caps.lock(trx, found, version)
      // A cap with another limit may be told of again.
      const changes = most === undefined || most === before.limit ? {} : { limit: most, told: 0 }
      const { row, isChanged } = await caps.update(trx, found, changes)
      const cap = capOf(row, window)
      if (isChanged)
        await facts.record(trx, 'credits.cap_updated', by, { subject: id, owner: row.owner, data: cap })
      return cap
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await editable(by, id)
    await transaction(async (trx) => {
      await caps.remove(trx, found, version)
      await facts.record(trx, 'credits.cap_deleted', by, { subject: id, owner: found.owner, data: { id } })
    })
    known.capsChanged(found.project, found.owner)
    return { id, deleted: true as const }
  }

  return { create, list, read, update, remove }
}

/** As it is shown: what was spent in an earlier day or month does not count. */
function capOf(
  { window, told: _, limit, spent, reserved, ...row }: StoredCap & { project?: string },
  now: string
): Cap {
  const { project: __, ...cap } = row
  return {
    ...cap,
    limit: shown(limit),
    spent: window === now ? shown(spent) : '0',
    reserved: shown(reserved)
  }
}
