// tier: whole
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import type { Connection } from '../../test/database.ts'
import type { Begun } from '../../test/idempotency.ts'
import {
  change,
  created,
  failureOf,
  instance,
  prepare,
  replay,
  request,
  running
} from '../../test/idempotency.ts'
import { poolBehind } from '../../test/pool-behind.ts'
import { failureOf as failureFrom } from '../http/failures.ts'
import type { Attempt, KeyedRequest } from './idempotency.ts'
import { createIdempotency } from './idempotency.ts'

/** Another process that begins the request, does as told, and is killed without a chance to tidy up. */
async function killed(t: Test, connection: Connection, work: string): Promise<void> {
  const child: ChildProcess = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import knexFactory from 'knex'
       import { createIdempotency } from ${JSON.stringify(new URL('./idempotency.ts', import.meta.url).href)}
       const { connection, request } = JSON.parse(process.env.INPUT)
       const knex = knexFactory({ client: 'pg', connection })
       const options = { knex, instance: () => process.pid, isAlive: async () => true, log: console }
       const { run } = await createIdempotency(options).begin(request)
       ${work}
       process.stdout.write('ready')
       setInterval(() => {}, 1000)`
    ],
    {
      env: { ...process.env, INPUT: JSON.stringify({ connection, request }) },
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** An instance whose way to the database can be cut. `again` asks until the database answers. */
async function overProxy(t: Test) {
  const { connection, knex: direct } = await prepare(t)
  const { way, knex } = await poolBehind(t, connection)
  const idempotency = instance(knex)
  const again = async (like: KeyedRequest): Promise<Begun> => {
    for (;;) {
      const begun = await idempotency.begin(like).catch(failureFrom)
      if (!(begun instanceof Error)) return begun
      // Until the outcome of the first is written, it counts as running.
      if (begun.kind !== 'unavailable' && begun.code !== 'idempotency_in_progress') throw begun
      await after(20)
    }
  }
  return { way, direct, knex, idempotency, again }
}

t.test('kill -9 of the first before it changed anything: one repetition runs', async (t) => {
  const { connection, knex, idempotency } = await prepare(t)
  await killed(t, connection, '')
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => idempotency.begin(request)))
  t.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1)
  t.equal(await knex('change').first(), undefined)
})

t.test('kill -9 of the first within its transaction: nothing was applied, the repetition runs', async (t) => {
  const { connection, knex, idempotency } = await prepare(t)
  await killed(
    t,
    connection,
    `const trx = await knex.transaction()
     await trx('change').insert({ by: 'dead' })
     await run.commit(trx)`
  )
  let second: Attempt | undefined
  // The server notices the death a moment later than we do; until then the outcome is open.
  while (!second) {
    const outcome = await idempotency.begin(request).catch((error) => error)
    if ('run' in outcome) second = outcome.run
    else t.match(outcome, { code: 'idempotency_in_progress' })
  }
  await change(knex, second, 'second')
  await second.finish(created)
  t.strictSame(await knex('change').pluck('by'), ['second'])
})

t.test('kill -9 of the first after its commit: applied, and nobody knows the reply', async (t) => {
  const { connection, knex, idempotency } = await prepare(t)
  await killed(
    t,
    connection,
    `await knex.transaction(async (trx) => {
       await trx('change').insert({ by: 'dead' })
       await run.commit(trx)
     })`
  )
  t.match(await failureOf(idempotency.begin(request)), {
    kind: 'conflict',
    code: 'idempotency_outcome_unknown'
  })
  t.strictSame(await knex('change').pluck('by'), ['dead'])
})

t.test('one that was only taken for dead cannot commit beside its successor', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const lost = instance(knex, () => 2 ** 30)
  const first = running(await lost.begin(request))
  const second = running(await idempotency.begin(request))
  t.match(await failureOf(change(knex, first, 'first')), { code: 'idempotency_in_progress' })
  await first.finish({ ...created, body: 'of the first' })
  await change(knex, second, 'second')
  await second.finish(created)
  t.strictSame(await knex('change').pluck('by'), ['second'])
  t.strictSame(await idempotency.begin(request), { replay })
})

t.test('one that was taken for dead within its transaction is not waited for', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const first = running(await instance(knex, () => 2 ** 30).begin(request))
  const trx = await knex.transaction()
  await first.commit(trx)
  t.match(await failureOf(idempotency.begin(request)), { code: 'idempotency_in_progress' })
  await trx.commit()
  t.match(await failureOf(idempotency.begin(request)), { code: 'idempotency_outcome_unknown' })
})

t.test('one that commits, or replies, just before it is taken over keeps what it did', async (t) => {
  const { knex } = await prepare(t)
  for (const key of ['commits', 'replies']) {
    const like = { ...request, key }
    const first = running(await instance(knex).begin(like))
    const suspicious = createIdempotency({
      knex,
      instance: () => process.pid,
      async isAlive() {
        await (key === 'commits' ? change(knex, first, key) : first.finish(created))
        return false
      },
      log: { warn() {} }
    })
    const outcome = suspicious.begin(like)
    if (key === 'commits') t.match(await failureOf(outcome), { code: 'idempotency_outcome_unknown' })
    else t.strictSame(await outcome, { replay })
  }
})

t.test('a database that goes away in the middle leaves nothing running for ever', async (t) => {
  const { way, knex, idempotency, again } = await overProxy(t)

  const failed = running(await idempotency.begin(request))
  const done = running(await idempotency.begin({ ...request, key: 'done' }))
  await change(knex, done, 'done')
  way.cut()
  await failed.finish({ ...created, status: 503 })
  await done.finish(created)
  t.match(await failureOf(idempotency.begin({ ...request, key: 'new' })), { kind: 'unavailable' })
  way.mend()
  t.ok('run' in (await again(request)), 'the failed one may be tried again at once')
  t.strictSame(await again({ ...request, key: 'done' }), { replay }, 'the reply was kept')
  t.ok('run' in (await again({ ...request, key: 'new' })))
})

t.test('a claim that came through, but whose answer was lost, is given back', async (t) => {
  const { way, direct, idempotency, again } = await overProxy(t)
  await running(await idempotency.begin({ ...request, key: 'connects' })).finish(created)
  way.deafen()
  const claim = failureOf(idempotency.begin(request))
  while (!(await direct('kernel.idempotency').whereNotNull('instance').first())) await after(5)
  way.cut()
  t.match(await claim, { kind: 'unavailable' })
  way.mend()
  t.ok('run' in (await again(request)))
})
