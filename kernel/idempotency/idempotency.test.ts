import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import t from 'tap'
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
import { applying, createTransaction } from '../database/transaction.ts'
import { createAttemptStore } from './attempts.ts'

t.test('repeats the first reply to the same request', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const first = running(await idempotency.begin(request))
  await change(knex, first, 'first')
  await first.finish(created)
  await first.abandon()
  t.strictSame(await idempotency.begin(request), { replay })
  const reordered = { steps: [{ a: 2, b: 1 }], name: 'A goal' }
  t.strictSame(
    await idempotency.begin({ ...request, body: reordered }),
    { replay },
    'whatever the order of members'
  )
})

t.test('is another request by its project, principal, method, path, query or key', async (t) => {
  const { idempotency } = await prepare(t)
  await running(await idempotency.begin(request)).finish(created)
  const others = {
    project: 'p',
    principal: 'user_1/x',
    method: 'PUT',
    path: '/v1/goals?dry=true',
    key: 'key-2'
  }
  for (const [name, value] of Object.entries(others))
    t.ok('run' in (await idempotency.begin({ ...request, [name]: value })), name)
})

t.test('refuses another body, whether the first has ended or not', async (t) => {
  const { idempotency } = await prepare(t)
  const first = running(await idempotency.begin(request))
  const bodies = [{ name: 'Another' }, null, undefined, Buffer.from(JSON.stringify(request.body)), '', []]
  for (const body of bodies)
    t.match(await failureOf(idempotency.begin({ ...request, body })), { code: 'idempotency_key_reused' })
  await first.finish(created)
  for (const body of bodies)
    t.match(await failureOf(idempotency.begin({ ...request, body })), {
      kind: 'conflict',
      code: 'idempotency_key_reused'
    })
})

t.test('compares bodies as they are', async (t) => {
  const { idempotency } = await prepare(t)
  const polluted = JSON.parse('{"__proto__":{"a":1},"text":"\\ud800"}')
  await running(await idempotency.begin({ ...request, body: polluted })).finish(created)
  t.match(await failureOf(idempotency.begin({ ...request, body: { text: '\ud800' } })), { kind: 'conflict' })
  const bytes = { ...request, key: 'bytes', body: Buffer.from([0, 1, 255]) }
  await running(await idempotency.begin(bytes)).finish(created)
  t.strictSame(await idempotency.begin({ ...bytes, body: Buffer.from([0, 1, 255]) }), { replay })
})

t.test('takes 1 to 255 visible ASCII characters as a key', async (t) => {
  const { idempotency } = await prepare(t)
  for (const key of ['', 'a b', 'é', 'x'.repeat(256), 'a\u0000'])
    t.match(await failureOf(idempotency.begin({ ...request, key })), {
      kind: 'invalid',
      param: 'idempotency-key'
    })
  t.ok(
    'run' in (await idempotency.begin({ ...request, key: 'x'.repeat(255), path: `/${'p'.repeat(20_000)}` }))
  )
})

t.test('of many that come at once, over two instances, one runs', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const other = instance(knex)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? idempotency : other).begin(request))
  )
  const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  t.equal(winners.length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') t.match(outcome.reason, { code: 'idempotency_in_progress' })
  for (const { value } of winners) await running(value).finish(created)
  t.strictSame(await other.begin(request), { replay })
})

t.test('forgets a 5xx, a 429 and what was abandoned', async (t) => {
  const { idempotency } = await prepare(t)
  for (const status of [500, 503, 429]) {
    const begun = await idempotency.begin(request)
    t.ok('run' in begun, `nothing is kept before the ${status}`)
    await running(begun).finish({ ...created, status })
  }
  await running(await idempotency.begin(request)).abandon()
  await running(await idempotency.begin(request)).finish({ ...created, status: 404 })
  t.match(await idempotency.begin(request), { replay: { status: 404 } })
})

t.test('does not run again what was applied, though its reply was none to keep', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const first = running(await idempotency.begin(request))
  await change(knex, first, 'first')
  t.match(await failureOf(idempotency.begin(request)), { code: 'idempotency_in_progress' })
  await first.finish({ ...created, status: 500 })
  t.match(await failureOf(idempotency.begin(request)), {
    kind: 'conflict',
    code: 'idempotency_outcome_unknown'
  })
})

t.test('a transaction that rolls back has applied nothing', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const first = running(await idempotency.begin(request))
  const refused = knex.transaction(async (trx) => {
    await first.commit(trx)
    throw new Error('refused')
  })
  await t.rejects(refused, /refused/)
  await first.finish({ ...created, status: 500 })
  t.ok('run' in (await idempotency.begin(request)))
})

t.test('what was abandoned can change nothing any more, unless it had done so before', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const left = running(await idempotency.begin(request))
  await left.abandon()
  t.match(await failureOf(change(knex, left, 'left')), { code: 'idempotency_in_progress' })
  const applied = running(await idempotency.begin(request))
  await change(knex, applied, 'applied')
  await applied.abandon()
  await change(knex, applied, 'again')
  await applied.finish(created)
  t.strictSame(await idempotency.begin(request), { replay })
  t.strictSame(await knex('change').pluck('by'), ['applied', 'again'])
})

t.test('a reply that was kept survives an end that is written late', async (t) => {
  const { knex } = await prepare(t)
  const store = createAttemptStore(knex)
  const run = { project: 'default', id: Buffer.alloc(32), attempt: randomUUID() }
  t.equal((await store.insert(run, Buffer.alloc(32), 1)).rowCount, 1)
  await store.keep(run, replay)
  await store.forget(run)
  t.match(await store.find(run), { reply: replay, instance: null })
})

t.test('what has expired is absent, and removed', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const expire = () =>
    knex('kernel.idempotency').update({ expiresAt: knex.raw(`now() - interval '1 second'`) })
  await running(await idempotency.begin(request)).finish(created)
  t.equal(await idempotency.prune(), 0)
  await expire()
  const again = await Promise.allSettled([1, 2, 3].map((n) => idempotency.begin({ ...request, body: n })))
  t.equal(again.filter((outcome) => outcome.status === 'fulfilled').length, 1, 'with any body, once')
  await expire()
  t.equal(await idempotency.prune(), 1)
  t.equal(await knex('kernel.idempotency').first(), undefined)
})

t.test('without a number of its own an instance claims nothing', async (t) => {
  const { knex } = await prepare(t)
  t.match(await failureOf(instance(knex, () => undefined).begin(request)), { kind: 'unavailable' })
  t.equal(await knex('kernel.idempotency').first(), undefined)
})

t.test('a transaction within a request says that the request was applied', async (t) => {
  const { knex, idempotency } = await prepare(t)
  const transaction = createTransaction(knex)
  const attempt = running(await idempotency.begin(request))
  const applied = async () => (await knex('kernel.idempotency').first('applied'))?.applied
  await transaction(async () => undefined)
  t.notOk(await applied(), 'outside of it nothing is said')
  await applying.run(attempt, async () => {
    await after(0)
    await transaction(async () => undefined)
  })
  t.ok(await applied())
})
