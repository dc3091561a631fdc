import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Knex } from 'knex'
import { up as createLedger } from '../../../plugins/credits/migrations/0001-create-ledger.ts'
import { up as addDue } from '../../../plugins/credits/migrations/0005-add-due.ts'
import { lineOf } from '../../../plugins/credits/rows.ts'
import { createAccountStore } from '../../../plugins/credits/stores/accounts.ts'
import { createLedgerStore } from '../../../plugins/credits/stores/ledger.ts'
import { database } from '../../database.ts'
import { startLoad } from '../load.ts'
import { startModel } from '../models.ts'
import { compare, ROUNDS } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { PlatformRunner } from '../runners.ts'
import { startRuns } from '../runners.ts'
import type { Scope } from '../scope.ts'

const PATH = '/v1/agents/run'
const TOKENS = 20
const WARM = 2_000

/** A price, and for the owner of the agent more credits than the runs of this measurement cost. */
async function pay({ knex, body }: PlatformRunner): Promise<void> {
  await body({ tokens: TOKENS })
  const { owner } = await knex('agents.agent').first('owner')
  const row = { project: 'default', owner }
  const amounts = { input: '1000000', cached: '1000000', output: '2000000' }
  await knex('credits.price').insert({ ...row, ...amounts, id: newId('price'), kind: 'model', target: '*' })
  await knex('credits.account').insert({
    ...row,
    id: newId('account'),
    kind: 'person',
    balance: '1000000000000000'
  })
}

async function runRows(scope: Scope, quick: boolean): Promise<Row[]> {
  const load = await startLoad(scope)
  const model = await startModel(scope)
  const off = await startRuns(scope, model, undefined, ['credits'])
  const on = await startRuns(scope, model, undefined, ['credits'], { CREDITS_PROJECTS: '*' })
  await pay(on)
  const send = async (runner: PlatformRunner, connections: number, until: object) => {
    const order = { paths: [PATH], bodies: [await runner.body({ tokens: TOKENS })], connections, ...until }
    const { requests, failed, failure, ms } = await load(runner, order as Parameters<typeof load>[1])
    if (failed > 0) throw new Error(`${failed} of ${requests} runs failed: ${failure}`)
    return (requests / ms) * 1_000
  }
  for (const runner of [on, off]) await send(runner, 64, { requests: quick ? WARM / 2 : WARM })
  const seconds = quick ? 1.5 : 4
  const measure = (connections: number) =>
    compare(
      quick ? 3 : ROUNDS,
      () => send(on, connections, { seconds }),
      () => send(off, connections, { seconds })
    )
  const many = await measure(64)
  const one = await measure(1)
  const { rows } = await on.knex.raw(
    `select (select count(*)::int from runs.run) as runs, (select count(*)::int from credits.reservation) as reserved`
  )
  if (rows[0].runs !== rows[0].reserved)
    throw new Error(`Of ${rows[0].runs} runs ${rows[0].reserved} were reserved for`)
  const latency = one.second / one.first
  return [
    {
      what: 'runs a second that cost credits, 64 at a time for one owner, against runs that cost nothing',
      reach: '≥ 0.9',
      measured: `${many.ratio.toFixed(2)} (${Math.round(many.first)} / ${Math.round(many.second)})`,
      met: many.ratio >= 0.9
    },
    {
      what: '… latency of one at a time',
      reach: '≤ 1.1×',
      measured: `${latency.toFixed(2)}× (${(1_000 / one.first).toFixed(2)} / ${(1_000 / one.second).toFixed(2)} ms)`,
      met: latency <= 1.1
    }
  ]
}

const PEOPLE = 16

/** Postings between people, each in a transaction of its own, so many at a time. */
async function postings(scope: Scope, quick: boolean): Promise<Row> {
  const { knex } = await database(scope)
  await knex.raw('create schema credits')
  await createLedger(knex)
  await addDue(knex)
  for (const table of ['transaction', 'entry'])
    await knex.raw(`create table credits.plain_${table} (like credits.${table} including all)`)
  const ids = Array.from({ length: PEOPLE }, (_, n) => `account_${String(n).padStart(2, '0')}`)
  await knex('credits.account').insert(
    ids.map((id) => ({ project: 'default', id, owner: id, kind: 'person', balance: '1000000000' }))
  )
  const accounts = createAccountStore({ knex, hot: undefined as unknown as Kernel['hot'] })
  const ledger = createLedgerStore({ knex })
  const pair = (n: number) => [ids[n % PEOPLE] as string, ids[(n + 7) % PEOPLE] as string] as const
  const post = (n: number) =>
    knex.transaction(async (trx) => {
      const [from, to] = pair(n)
      const locked = await accounts.lock(trx, [from, to])
      const [giver, receiver] = [locked.get(from), locked.get(to)]
      if (!giver || !receiver) throw new Error('An account is missing')
      const lines = [lineOf(giver, -1n), lineOf(receiver, 1n)]
      const [made] = await ledger.insertAll(trx, [
        { project: 'default', owner: from, kind: 'gift', key: newId('reference'), actor: from, lines }
      ])
      if (made === undefined) throw new Error('Nothing was posted')
    })
  const insert = (n: number) => plain(knex, ...pair(n))
  const rateOf = (work: (n: number) => Promise<unknown>, count: number, atOnce: number) => async () => {
    let next = 0
    const begun = performance.now()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < count) await work(next++)
      })
    )
    return (count / (performance.now() - begun)) * 1_000
  }
  const count = quick ? 400 : 2_000
  await rateOf(post, count, 4)()
  await rateOf(insert, count, 4)()
  const { first, second, ratio } = await compare(
    quick ? 3 : ROUNDS,
    rateOf(post, count, 4),
    rateOf(insert, count, 4)
  )
  return {
    what: 'postings of the ledger a second, 4 at a time, against plain inserts of the same rows in a transaction each',
    reach: '≥ 0.7',
    measured: `${ratio.toFixed(2)} (${Math.round(first)} / ${Math.round(second)})`,
    met: ratio >= 0.7
  }
}

const plain = (knex: Knex, from: string, to: string) =>
  knex.transaction(async (trx) => {
    const project = 'default'
    const transactionId = newId('transaction')
    const kind = 'gift'
    await trx('credits.plain_transaction').insert({
      ...{ project, id: transactionId, owner: from, kind, key: newId('reference'), actor: from }
    })
    const entry = { project, transactionId, kind }
    await trx('credits.plain_entry').insert([
      { ...entry, id: newId('entry'), owner: from, accountId: from, amount: '-1', balance: '1' },
      { ...entry, id: newId('entry'), owner: to, accountId: to, amount: '1', balance: '1' }
    ])
  })

/** What credits cost a run, and what the ledger costs a posting. */
export const measure: Measure = async (scope, quick) => [
  ...(await runRows(scope, quick)),
  await postings(scope, quick)
]
