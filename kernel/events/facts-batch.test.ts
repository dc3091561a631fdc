import t from 'tap'
import { by, prepare } from '../../test/facts.ts'
import type { Facts } from './facts.ts'
import type { Listener } from './facts-delivery.ts'

type Call = readonly [name: string, numbers: readonly number[]]

/** A pack that takes what is sold and what is returned in batches, and writes down what it was handed. */
function batches(before: (numbers: readonly number[]) => unknown = () => undefined) {
  const calls: Call[] = []
  const pack: Listener = {
    names: new Set(['shop.sold', 'shop.returned', 'shop.opened']),
    batches: new Map([
      ['shop.sold', 'shop.sold'],
      ['shop.returned', 'shop.returned']
    ]),
    async handle(name, facts, trx) {
      const numbers = facts.map(({ data }) => (data as { n: number }).n)
      calls.push([name, numbers])
      await trx('effect').insert(
        facts.map(({ id, subject, data }) => ({ pack: 'usage', fact: id, subject, ...(data as object) }))
      )
      await before(numbers)
    }
  }
  return { calls, packs: new Map([['usage', pack]]) }
}

interface Recording {
  readonly knex: Awaited<ReturnType<typeof prepare>>['knex']
  readonly facts: Pick<Facts, 'record'>
}

/** Records in one transaction, in that order; `n` counts from 0. */
const recordAll = ({ knex, facts }: Recording, all: readonly (readonly [name: string, subject: string])[]) =>
  knex.transaction(async (trx) => {
    for (const [n, [name, subject]] of all.entries())
      await facts.record(trx, `shop.${name}`, by, { subject, owner: 'o', data: { n } })
  })

const numbers = (rows: readonly { n: number }[]) => rows.map(({ n }) => n)

t.test('facts of a name come together, and those of a subject in order', async (t) => {
  const { instance } = await prepare(t)
  const { calls, packs } = batches()
  const { facts, knex } = instance(packs)
  await facts.enlist(packs.keys())
  await recordAll({ knex, facts }, [
    ['sold', 'a'],
    ['sold', 'b'],
    ['returned', 'a'],
    ['opened', 'x'],
    ['sold', 'c'],
    ['sold', 'a'],
    ['opened', 'x'],
    ['returned', 'b'],
    ['returned', 'a']
  ])
  await facts.start()
  await facts.settled()
  t.same(calls, [
    ['shop.sold', [0, 1, 4]],
    ['shop.returned', [2, 7]],
    ['shop.opened', [3]],
    ['shop.sold', [5]],
    ['shop.opened', [6]],
    ['shop.returned', [8]]
  ])
})

t.test('a batch of which one fails is handed over one by one, and that one is set aside alone', async (t) => {
  const { instance, effects } = await prepare(t)
  const { calls, packs } = batches((numbers) => {
    if (numbers.includes(2)) throw new Error('Two is too many')
  })
  const { facts, knex } = instance(packs, { attempts: 2, backoff: () => 10 })
  await facts.enlist(packs.keys())
  await recordAll(
    { knex, facts },
    ['a', 'b', 'c', 'd', 'c'].map((subject) => ['sold', subject] as const)
  )
  await facts.start()
  for (let left = true; left; left = (await facts.backlog()).some(({ waiting }) => waiting > 0))
    await facts.settled()
  t.same(numbers(await effects()).sort(), [0, 1, 3, 4], 'each once')
  t.match(await facts.deadLettered(), [{ fact: { data: { n: 2 } }, attempts: 2, error: 'Two is too many' }])
  t.same(calls.slice(0, 4), [
    ['shop.sold', [0, 1, 2, 3, 4]],
    ['shop.sold', [0]],
    ['shop.sold', [1]],
    ['shop.sold', [2]]
  ])
  t.same(calls.at(-1), ['shop.sold', [4]], 'what stood behind it comes after it was given up')
})

t.test('two deliverers at once hand over each fact once', async (t) => {
  const { instance, effects } = await prepare(t)
  const { packs } = batches()
  const [one, two] = [instance(packs, { batch: 7 }), instance(packs, { batch: 7 })]
  await one.facts.enlist(packs.keys())
  await one.facts.start()
  await two.facts.start()
  const all = Array.from({ length: 100 }, (_, n) => ['sold', `s${n % 9}`] as const)
  await recordAll(one, all)
  await one.facts.settled()
  t.same(
    numbers(await effects()).sort((a, b) => a - b),
    all.map((_, n) => n)
  )
})
