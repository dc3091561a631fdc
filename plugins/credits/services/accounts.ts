import type { Principal } from 'agent-platform'
import { invalid, notFound, reachOwner } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import { shown } from '../schemas/amount.ts'
import type { Balance, Entry, LedgerQuery, StoredEntry, Summary, SummaryQuery } from '../schemas/ledger.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import type { Known } from './known.ts'
import type { Projects } from './projects.ts'

export type AccountService = ReturnType<typeof createAccountService>

const DAY_MS = 86_400_000
const MOST_DAYS = 400

interface Deps {
  known: Known
  projects: Projects
  agents: Agents
  sessions: Sessions
  accountStore: AccountStore
  ledgerStore: LedgerStore
}

/** What accounts hold, and what came in and went out. */
export function createAccountService(deps: Deps) {
  const { known, projects, agents, sessions, accountStore, ledgerStore } = deps

  /** Whose account is asked for: the caller's own, or with the rights for it another one. */
  const ownerFor = (by: Principal, owner = by.owner): string =>
    reachOwner(by, owner, 'owner', { granted: by.scopes.has('platform:admin') })

  async function balance(by: Principal, asked?: string): Promise<Balance> {
    const owner = ownerFor(by, asked)
    // Who looks has one from then on, and can be given something.
    if (owner === by.owner) await known.account(by.project, owner)
    const { balance, reserved } = (await find(by, owner)) ?? { balance: 0n, reserved: 0n }
    return {
      owner,
      unlimited: !projects.cost(by.project),
      balance: shown(balance),
      reserved: shown(reserved),
      available: shown(balance - reserved)
    }
  }

  /** Undefined for a user of a service who has none yet, which holds nothing; 404 for others. */
  async function find(by: Principal, owner: string) {
    const account = await accountStore.findPerson(by.project, owner)
    if (!account && by.type !== 'service') throw notFound('Account', { param: 'owner' })
    return account
  }

  /** Undefined as with `find`. */
  async function accountOf(by: Principal, asked: string | undefined): Promise<string | undefined> {
    const owner = ownerFor(by, asked)
    return owner === by.owner ? known.account(by.project, owner) : (await find(by, owner))?.id
  }

  async function narrow(by: Principal, { agentId, sessionId }: LedgerQuery): Promise<void> {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    if (sessionId !== undefined) await sessions.owned(by, sessionId, 'read', 'sessionId')
  }

  async function ledger(by: Principal, query: LedgerQuery) {
    const accountId = await accountOf(by, query.owner)
    if (by.type === 'agent' && (query.agentId ?? by.id) !== by.id)
      throw invalid('agentId', 'An agent sees what it spent itself')
    // An operator has no reach to the agents of the person whose ledger it looks at.
    if (query.owner === undefined || !by.scopes.has('platform:admin')) await narrow(by, query)
    if (accountId === undefined) return { data: [], nextCursor: null }
    const own = by.type === 'agent' ? { agentId: by.id } : {}
    const page = await ledgerStore.list(accountId, by.project, { ...query, ...own })
    return { ...page, data: page.data.map(entryOf) }
  }

  async function summary(
    by: Principal,
    { owner, by: grouping = 'day', ...during }: SummaryQuery
  ): Promise<Summary> {
    const to = during.to ?? new Date().toISOString()
    const from = during.from ?? new Date(Date.parse(to) - 30 * DAY_MS).toISOString()
    const length = Date.parse(to) - Date.parse(from)
    if (length <= 0) throw invalid('from', 'from must be before to')
    if (length > MOST_DAYS * DAY_MS) throw invalid('from', `A summary is of ${MOST_DAYS} days at most`)
    const accountId = await accountOf(by, owner)
    const [totals, groups] =
      accountId === undefined
        ? [[], []]
        : await Promise.all([
            ledgerStore.listTotals(by.project, accountId, from, to),
            ledgerStore.listSpent(by.project, accountId, grouping, from, to)
          ])
    return {
      from,
      to,
      by: grouping,
      spent: shown(totals.find(({ kind }) => kind === 'usage')?.spent ?? '0'),
      totals: totals.map(({ kind, received, spent }) => ({
        kind,
        received: shown(received),
        spent: shown(spent)
      })),
      groups: groups.map((group) => ({ ...group, spent: shown(group.spent) }))
    }
  }

  return { balance, ledger, summary }
}

/** As it is shown. */
export const entryOf = ({ amount, balance, ...entry }: StoredEntry): Entry => ({
  ...entry,
  amount: shown(amount),
  balance: shown(balance)
})
