import { newId } from 'agent-platform'
import type { Knex } from 'knex'
import { createHot } from '../../../kernel/database/hot.ts'
import { up as createLedger } from '../../../plugins/credits/migrations/0001-create-ledger.ts'
import { up as addDue } from '../../../plugins/credits/migrations/0005-add-due.ts'
import { up as chargeInBatches } from '../../../plugins/credits/migrations/0007-charge-in-batches.ts'
import { createMovementStore } from '../../../plugins/credits/stores/movements.ts'
import { database } from '../../database.ts'
import { startLoad } from '../load.ts'
import { startModel } from '../models.ts'
import { runsInTurns, TOKENS, warm } from '../paired.ts'
import { compare } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { PlatformRunner } from '../runners.ts'
import { startRuns } from '../runners.ts'
import type { Scope } from '../scope.ts'

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
  for (const runner of [on, off]) await warm(load, runner, quick ? WARM / 2 : WARM)
  const many = await runsInTurns(load, on, off, 64, quick)
  const one = await runsInTurns(load, on, off, 1, quick)
  const { rows } = await on.knex.raw(
    `select (select count(*)::int from runs.run) as runs, (select count(*)::int from credits.entry where key is not null) as charged,
      (select count(*)::int from credits.reservation) as reserved`
  )
  const { runs, charged, reserved } = rows[0]
  if (runs !== charged || reserved > 0)
    throw new Error(`Of ${runs} runs ${charged} were charged, and for ${reserved} something is reserved`)
  return [
    {
      what: 'runs a second that cost credits, 64 at a time for one owner, against runs that cost nothing',
      reach: '≥ 0.9',
      measured: many.rate.shown,
      met: many.rate.ratio >= 0.9
    },
    {
      what: '… CPU time of server and database, µs a run',
      reach: '≤ 1.11×',
      measured: many.cpu.shown,
      met: many.cpu.ratio <= 1 / 0.9
    },
    {
      what: '… latency of one at a time, ms',
      reach: '≤ 1.1×',
      measured: one.latency.shown,
      met: one.latency.ratio <= 1.1
    },
    {
      what: '… CPU time of one at a time, µs',
      reach: '≤ 1.1×',
      measured: one.cpu.shown,
      met: one.cpu.ratio <= 1.1
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
  await chargeInBatches(knex)
  for (const table of ['transaction', 'entry'])
    await knex.raw(`create table credits.plain_${table} (like credits.${table} including all)`)
  const ids = Array.from({ length: PEOPLE }, (_, n) => `account_${String(n).padStart(2, '0')}`)
  await knex('credits.account').insert(
    ids.map((id) => ({ project: 'default', id, owner: id, kind: 'person', balance: '1000000000' }))
  )
  const hot = createHot(knex)
  const movements = createMovementStore({ hot })
  const pair = (n: number) => [ids[n % PEOPLE] as string, ids[(n + 7) % PEOPLE] as string] as const
  const post = (n: number) =>
    knex.transaction(async (trx) => {
      const [from, to] = pair(n)
      const gift = {
        project: 'default',
        owner: from,
        kind: 'gift',
        key: newId('reference'),
        actor: from
      } as const
      const sides = { from: { accountId: from, name: from }, to: { accountId: to, name: to } }
      const made = await movements.insert(trx, { ...gift, ...sides, amount: 1n })
      if (typeof made !== 'object') throw new Error('Nothing was posted')
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
  const count = quick ? 100 : 250
  for (const work of [post, insert]) await rateOf(work, quick ? 400 : 2_000, 4)()
  // As a server does it beside each minute; that of the tests does not.
  await knex.raw('vacuum (analyze)')
  const { first, second, ratio } = await compare(
    quick ? 9 : 31,
    rateOf(post, count, 4),
    rateOf(insert, count, 4)
  )
  return {
    what: 'postings of the ledger a second, 4 at a time, against plain inserts of the same rows in a transaction each',
    reach: '≥ 0.7',
    measured: `${ratio.toFixed(2)} (${Math.round(first)} / ${Math.round(second)} a second)`,
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
