import t from 'tap'
import { by, listener, oneByOne, prepare, record, until } from '../../test/facts.ts'
import type { Fact } from './fact.ts'
import { reasonOf } from './facts-delivery.ts'

const numbers = (rows: { n: number }[]) => rows.map(({ n }) => n)

t.test('a failing handler holds back its subject only, in order, until it succeeds', async (t) => {
  const { instance, effects } = await prepare(t)
  let broken = true
  const tried: number[] = []
  const packs = new Map([
    [
      'usage',
      listener('usage', ({ data, subject }) => {
        if (subject !== 'bad') return
        tried.push(data.n)
        if (broken) throw new Error('no')
      })
    ],
    ['other', listener('other')]
  ])
  const { facts, knex } = instance(packs, { backoff: () => 20, attempts: 1_000 })
  await facts.enlist(packs.keys())
  await facts.start()
  for (const [n, subject] of ['good', 'bad', 'good', 'bad', 'good'].entries())
    await record(knex, facts, subject, n)
  await until(async () => (await effects('usage')).length === 3 && (await effects('other')).length === 5)
  t.same(numbers(await effects('usage')), [0, 2, 4])
  t.ok(
    tried.every((n) => n === 1),
    'nothing of the subject was tried before its first'
  )
  await record(knex, facts, 'bad', 5)
  await record(knex, facts, 'good', 6)
  await until(async () => (await effects('usage')).length === 4)
  broken = false
  await until(async () => (await effects('usage')).length === 7)
  t.same(numbers((await effects('usage')).filter(({ subject }) => subject === 'bad')), [1, 3, 5])
  await record(knex, facts, 'bad', 7)
  await facts.settled()
  t.same(numbers(await effects('usage')).at(-1), 7, 'nothing is held any more')
  t.same(numbers(await effects('other')), [0, 1, 2, 3, 4, 5, 6, 7])
})

t.test('attempts wait longer and longer, then the fact is dead-lettered and can be replayed', async (t) => {
  const { instance, effects } = await prepare(t)
  let broken = true
  const asked: number[] = []
  const packs = new Map([
    [
      'usage',
      listener('usage', ({ data }) => {
        if (data.n === 1 && broken) throw new Error(`no: ${'x'.repeat(1_000)}`)
      })
    ]
  ])
  const backoff = (attempts: number) => {
    asked.push(attempts)
    return 1
  }
  const { facts, knex } = instance(packs, { backoff, attempts: 4 })
  await facts.enlist(packs.keys())
  await facts.start()
  for (const n of [1, 2]) await record(knex, facts, 'a', n)
  const [deadLettered] = await until(async () => {
    const found = await facts.deadLettered()
    return found.length > 0 && found
  })
  t.same(asked, [1, 2, 3], 'the fourth was the last')
  t.match(deadLettered, {
    pack: 'usage',
    attempts: 4,
    error: /^no: x{496}$/,
    fact: { name: 'shop.sold', subject: 'a', data: { n: 1 } },
    deadLetteredAt: /Z$/
  })
  await facts.settled()
  t.same(numbers(await effects()), [2], 'the subject went on')
  t.same(await facts.deadLettered('other'), [])
  t.equal((await facts.deadLettered('usage')).length, 1)

  const id = (deadLettered as { fact: Fact }).fact.id
  t.match(await facts.replay('usage', id), { handled: false, error: /^no/ })
  t.match(await facts.deadLettered(), [{ attempts: 5 }])
  await t.rejects(facts.replay('usage', 'fact_0'), { message: 'Dead-lettered fact not found' })
  await t.rejects(facts.replay('nobody', id), { message: 'Dead-lettered fact not found' })
  const usage = packs.get('usage')
  packs.clear()
  await t.rejects(facts.replay('usage', id), { message: /does not listen/ })
  if (usage) packs.set('usage', usage)
  broken = false
  t.same(await facts.replay('usage', id), { handled: true })
  t.same(await facts.deadLettered(), [])
  t.same(numbers(await effects()), [2, 1])
  await t.rejects(facts.replay('usage', id), { message: 'Dead-lettered fact not found' })
})

t.test('effects of a failed attempt are undone, also what fails only at the commit', async (t) => {
  const { instance, effects, knex: admin } = await prepare(t)
  await admin.raw('create table sum (n int unique deferrable initially deferred)')
  const packs = new Map([
    [
      'usage',
      oneByOne(['shop.sold'], async (fact, trx) => {
        const { n } = fact.data as { n: number }
        await trx('effect').insert({ pack: 'usage', fact: fact.id, subject: fact.subject, n })
        if (n === 1) await trx.raw('select 1 / 0').catch(() => undefined)
        if (n === 3) await trx.raw('insert into sum values (1), (1)')
      })
    ]
  ])
  const { facts, knex } = instance(packs, { attempts: 1 })
  await facts.enlist(packs.keys())
  await knex.transaction(async (trx) => {
    for (const n of [0, 1, 2, 3, 4])
      await facts.record(trx, 'shop.sold', by, { subject: `${n}`, owner: 'o', data: { n } })
  })
  await facts.start()
  await facts.settled()
  t.same(numbers(await effects()), [0, 2, 4])
  const deadLettered = (await facts.deadLettered()).map(({ fact, error }) => [fact.subject, error])
  t.match(deadLettered.sort(), [
    ['1', /aborted/],
    ['3', /duplicate key/]
  ])
})

t.test('a handler that does not end is given up', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map([
    ['usage', listener('usage', ({ data }) => (data.n === 0 ? new Promise(() => undefined) : undefined))]
  ])
  const { facts, knex } = instance(packs, { attempts: 1, handlerMs: 700 })
  await facts.enlist(packs.keys())
  await facts.start()
  await record(knex, facts, 'a', 0)
  await record(knex, facts, 'a', 1)
  await until(async () => (await effects()).length > 0)
  t.same(numbers(await effects()), [1])
  t.match(await facts.deadLettered(), [{ error: /700 ms/ }])
})

t.test('more held facts than a batch keep their order', async (t) => {
  const { instance, effects } = await prepare(t)
  let broken = true
  const packs = new Map([
    [
      'usage',
      listener('usage', () => {
        if (broken) throw new Error('no')
      })
    ]
  ])
  const { facts, knex } = instance(packs, { batch: 4, backoff: () => 10, attempts: 10_000 })
  await facts.enlist(packs.keys())
  await knex.transaction(async (trx) => {
    for (let n = 0; n < 30; n++)
      await facts.record(trx, 'shop.sold', by, { subject: `s${n % 2}`, owner: 'o', data: { n } })
  })
  await facts.start()
  await until(async () => (await knex.withSchema('kernel').from('fact_held')).length === 30)
  broken = false
  await until(async () => (await effects()).length === 30)
  for (const subject of ['s0', 's1']) {
    const rows = numbers((await effects()).filter((row) => row.subject === subject))
    t.same(
      rows,
      [...rows].sort((a, b) => a - b)
    )
  }
  await facts.settled()
  t.same(await knex.withSchema('kernel').from('fact_held'), [])
})

t.test('two instances share the attempts', async (t) => {
  const { instance, effects } = await prepare(t)
  let attempts = 0
  const packs = new Map([
    [
      'usage',
      listener('usage', ({ data }) => {
        if (data.n % 3 === 0 && ++attempts % 5 !== 0) throw new Error('no')
      })
    ]
  ])
  const options = { batch: 5, backoff: () => 5, attempts: 10_000, gapMs: 1 }
  const [one, two] = [instance(packs, options), instance(packs, options)]
  await one.facts.enlist(packs.keys())
  await one.facts.start()
  await two.facts.start()
  for (let n = 0; n < 60; n++) await record(n % 2 ? one.knex : two.knex, one.facts, `s${n % 4}`, n)
  await until(async () => (await effects()).length >= 60)
  await one.facts.settled()
  const rows = await effects()
  t.equal(rows.length, 60)
  for (const subject of ['s0', 's1', 's2', 's3']) {
    const of = numbers(rows.filter((row) => row.subject === subject))
    t.same(
      of,
      [...of].sort((a, b) => a - b)
    )
  }
})

t.test('reasons carry no statement', async (t) => {
  const { knex } = await prepare(t)
  const error = await knex.raw('select ?::int', ['secret']).catch((thrown: unknown) => thrown)
  t.notMatch(reasonOf(error), 'select')
  t.equal(reasonOf(new Error('a - b')), 'a - b')
  t.equal(reasonOf('text'), 'text')
})
