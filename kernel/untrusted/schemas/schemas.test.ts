import t from 'tap'
import { examineSchema, examineValue } from './schemas.ts'

/** Each of its own, so that none is known already. */
let count = 0
const schema = () => ({ type: 'object', title: `${count++}` })
const ask = (project: string, owner: string) => examineSchema({ project, owner }, schema())

t.test('a project whose owners are many has one turn, as one of whom only one asks', async (t) => {
  const order: string[] = []
  const asked = [
    ...Array.from({ length: 60 }, (_, n) => ['crowd', `initiator-${n}`] as const),
    ['quiet', 'ada'] as const
  ].map(([project, owner]) => ask(project, owner).then(() => order.push(owner)))
  await Promise.all(asked)
  t.ok(order.indexOf('ada') <= 2, `at ${order.indexOf('ada')}`)
  t.same(
    order.filter((owner) => owner !== 'ada'),
    Array.from({ length: 60 }, (_, n) => `initiator-${n}`),
    'and its owners have theirs in the order in which they came'
  )
})

t.test('owners of one project take turns', async (t) => {
  const order: string[] = []
  const all = [...Array(20).fill('eve'), 'ada'].map((owner) => ask('p', owner).then(() => order.push(owner)))
  await Promise.all(all)
  t.ok(order.indexOf('ada') <= 2, `at ${order.indexOf('ada')}`)
})

t.test('only so much of an owner waits, and of a project', async (t) => {
  const many = (project: string, length: number, owner: (n: number) => string) =>
    Promise.allSettled(Array.from({ length }, (_, n) => ask(project, owner(n))))
  const refused = (all: PromiseSettledResult<unknown>[]) =>
    all.filter((it) => it.status === 'rejected').map(({ reason }) => reason.kind)
  const [owner, project] = [many('one', 140, () => 'eve'), many('two', 600, (n) => `initiator-${n}`)]
  t.equal(await ask('three', 'ada'), undefined, 'that of others is not refused')
  const refusals = refused(await owner)
  t.same([...new Set(refusals)], ['rateLimited'])
  t.equal(refusals.length, 140 - 128 - 1, 'the first one is being answered')
  t.equal(refused(await project).length, 600 - 512)
})

t.test('what is short and plain waits for no worker, and says the same', async (t) => {
  const by = { project: 'p', owner: 'ada' }
  const order: string[] = []
  const busy = Promise.all(Array.from({ length: 3 }, () => ask('p', 'ada'))).then(() => order.push('schemas'))
  const plain = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2 },
      tags: { type: 'array', items: { enum: ['a', 'b'] } }
    },
    required: ['name'],
    additionalProperties: false
  }
  const values = [
    { name: 'Ada' },
    {},
    { name: 'A' },
    { name: 'Ada', tags: ['c'] },
    { name: 'Ada', age: 1 },
    [],
    null
  ]
  const faults = []
  for (const value of values) faults.push(await examineValue(by, plain, value))
  order.push('values')
  await busy
  t.same(order, ['values', 'schemas'])
  t.equal(faults[0], undefined)
  // With a pattern that allows anything a worker checks it.
  const asked = { ...plain, properties: { ...plain.properties, other: { pattern: '' } } }
  for (const [at, value] of values.entries()) t.same(await examineValue(by, asked, value), faults[at])
  t.equal(faults.filter(Boolean).length, 6)
})

t.test('what is not plain, not short, or broken is for a worker', async (t) => {
  const by = { project: 'p', owner: 'ada' }
  const text = (schema: object) => ({ type: 'object', properties: { a: schema } })
  const evil = { a: `${'a'.repeat(60)}b` }
  t.match(await examineValue(by, text({ type: 'string', pattern: '^(a+)+$' }), evil), { text: /in time/ })
  t.match(
    await examineValue(by, text({ items: { patternProperties: { '^(a+)+$': {} } } }), { a: [] }),
    undefined
  )
  t.match(await examineValue(by, text({ type: 'strange' }), { a: 1 }), { text: /no valid JSON Schema/ })
  t.match(await examineValue(by, text({ maxLength: 3 }), { a: 'a'.repeat(10_000) }), { at: '/a' })
})
