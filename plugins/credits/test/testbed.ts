import type { Booted } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { formatAmount, parseAmount } from '../amounts.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** The built-in model, which does what it is told, and costs what the catalogue says. */
export const local = { modelProvider: 'local' }

/** A platform on which runs of the project `default` cost credits; `root` is an operator there. */
export async function town(t: Scope, options: Parameters<typeof boot>[2] = {}, ...packs: string[]) {
  const given = options as { env?: object }
  const env = { CREDITS_PROJECTS: 'default', ...given.env }
  const booted = await boot(t, 'credits', 'models', 'tools', 'toolbox', ...packs, { ...given, env } as object)
  return { ...booted, booted, root: booted.admin }
}

/** Asserts that it was made; what was made. */
export async function make(client: Client, path: string, body: object) {
  const reply = await client.post(path, body)
  if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

export const grant = (root: Client, owner: Client, amount: string, reference?: string) =>
  make(root, '/v1/credits/grants', {
    owner: owner.id,
    amount,
    reason: 'To begin with',
    ...(reference !== undefined && { reference })
  })
export const setPrice = (root: Client, kind: string, target: string, fields: object) =>
  make(root, '/v1/credits/prices', { kind, target, ...fields })

export const balanceOf = async (client: Client) => (await client.get('/v1/credits/balance')).body.data
export const ledgerOf = async (client: Client, query = '') =>
  (await client.get(`/v1/credits/ledger?limit=100${query}`)).body.data

export const run = (client: Client, agent: { id: string }, content: string, fields: object = {}) =>
  client.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content }], ...fields })

/** What must be true of the ledger at any time: what is wrong with it. */
export async function faultsOf({ platform: { knex } }: Booted): Promise<readonly string[]> {
  const look = async (what: string, sql: string) => {
    const { rows } = await knex.raw(sql)
    return rows.map((row: object) => `${what}: ${JSON.stringify(row)}`)
  }
  const entries = '(select coalesce(sum(amount), 0) from credits.entry e where e."accountId" = a.id)'
  const open = `(select coalesce(sum(amount), 0) from credits.reservation r where r."accountId" = a.id and r."settledAt" is null)`
  return [
    ...(await look(
      'a transaction',
      'select "transactionId", sum(amount) from credits.entry group by 1 having sum(amount) <> 0'
    )),
    ...(await look(
      'a balance',
      `select a.id, a.balance, ${entries} as entries from credits.account a where a.balance <> ${entries}`
    )),
    ...(await look(
      'what is reserved',
      `select a.id, a.reserved, ${open} as open from credits.account a where a.reserved <> ${open}`
    )),
    ...(await look(
      'below zero',
      `select id, balance from credits.account where kind = 'person' and (balance < 0 or balance < reserved)`
    )),
    ...(await look('the whole', 'select sum(balance) as sum from credits.account having sum(balance) <> 0')),
    ...(await look(
      'charged twice',
      `select "runId", "modelId", count(*) from credits.entry join credits.account a on a.id = "accountId" and a.kind = 'person'
         where credits.entry.key like 'run:%' group by 1, 2 having count(*) > 1`
    ))
  ]
}

/** What is left open once every run has ended. */
export const openReservations = ({ platform: { knex } }: Booted) =>
  knex('credits.reservation').whereNull('settledAt')

/** The sum of amounts as the API shows them. */
export const sumOf = (amounts: readonly string[]): string =>
  formatAmount(
    amounts.reduce((sum, text) => {
      const size = parseAmount(text.replace('-', '')) ?? 0n
      return text.startsWith('-') ? sum - size : sum + size
    }, 0n)
  )
