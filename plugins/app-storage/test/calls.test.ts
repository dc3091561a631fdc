import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import type { StorageCalls } from '../services/calls.ts'
import { depsOf, principal, stage } from './testbed.ts'

type Failed = Error & { readonly kind?: string }

const booted = await stage(t)
const { platform, as } = booted
const app = await booted.app()
const ada = app.as('ada')
const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: deep(levels - 1) })
const json = (text: string) => JSON.parse(text)

t.test('parameters that are none are refused, with the place', async (t) => {
  const places = { collection: 'places' }
  const cases: [method: Parameters<typeof ada>[0], params: unknown, param: string][] = [
    ['storage.get', {}, '/key'],
    ['storage.get', { key: '' }, '/key'],
    ['storage.get', { key: 'x'.repeat(513) }, '/key'],
    ['storage.get', { key: 7 }, '/key'],
    ['storage.get', { key: { $gt: '' } }, '/key'],
    ['storage.get', { key: 'a\0' }, '/key'],
    ['storage.get', { key: '\ud800' }, '/key'],
    ['storage.get', { key: 'k', holder: 'bob' }, '/holder'],
    ['storage.get', { key: 'k', scope: 'bob' }, '/scope'],
    ['storage.get', [], ''],
    ['storage.get', null, ''],
    ['storage.set', { key: 'k' }, '/value'],
    ['storage.set', { key: 'k', value: 'a\0' }, '/value'],
    ['storage.set', { key: 'k', value: { '\ud800': 1 } }, '/value'],
    ['storage.set', { key: 'k', value: json('{"a":{"__proto__":{"x":1}}}') }, '/value/a'],
    ['storage.set', { key: 'k', value: { _bsontype: 'ObjectId' } }, '/value'],
    ['storage.set', { key: 'k', value: deep(17) }, '/value'],
    ['storage.set', { key: 'k', value: deep(500) }, ''],
    ['storage.set', { key: 'k', value: 1, ifVersion: -1 }, '/ifVersion'],
    ['storage.list', { limit: 101 }, '/limit'],
    ['storage.list', { cursor: '\0' }, '/cursor'],
    ['storage.list', { cursor: Buffer.from('["x",{"$gt":""},null]').toString('base64url') }, '/cursor'],
    ['storage.insert', { ...places, document: [] }, '/document'],
    ['storage.insert', { ...places, document: { $where: 'true' } }, '/document/$where'],
    ['storage.insert', { ...places, document: { a: [{ 'b.c': 1 }] } }, '/document/a/0/b.c'],
    ['storage.insert', { ...places, document: { '': 1 } }, '/document/'],
    ['storage.insert', { ...places, document: { id: 'mine' } }, '/document/id'],
    ['storage.insert', { ...places, document: { version: 9 } }, '/document/version'],
    ['storage.insert', { ...places, document: json('{"__proto__":{}}') }, '/document'],
    ['storage.insert', { collection: '$cmd', document: {} }, '/collection'],
    ['storage.update', { ...places, id: 'x', set: { createdAt: 1 } }, '/set/createdAt'],
    ['storage.update', { ...places, id: 'x', unset: ['id'] }, '/unset/0'],
    ['storage.update', { ...places, id: 'x', set: { a: 1 }, unset: ['a'] }, '/unset/0'],
    ['storage.findOne', { ...places, id: 'x', filter: {} }, '/id']
  ]
  for (const [method, params, param] of cases)
    await t.rejects(
      ada(method, params as object),
      { kind: 'invalid', param, code: undefined },
      `${method} ${JSON.stringify(params)?.slice(0, 80)}`
    )
  await t.rejects(ada('storage.set', { key: 'k', value: 'x'.repeat(65_535) }), {
    kind: 'tooLarge',
    code: 'value_too_large'
  })
  t.match(await ada('storage.set', { key: 'k', value: 'x'.repeat(65_534) }), { version: 1 })
  const grown = await ada('storage.insert', { collection: 'places', document: { a: 'x'.repeat(60_000) } })
  const more = { collection: 'places', id: grown.id, set: { b: 'x'.repeat(60_000) } }
  await t.rejects(ada('storage.update', more), { code: 'value_too_large' }, 'with what is there already')
})

t.test('filters are what they are said to be, and nothing of a database', async (t) => {
  const cases: [filter: unknown, param: string][] = [
    [{ $where: 'sleep(1000)' }, '/filter/$where'],
    [{ $expr: {} }, '/filter/$expr'],
    [{ n: { $regex: '(a+)+$' } }, '/filter/n/$regex'],
    [{ n: { $where: 'x' } }, '/filter/n/$where'],
    [{ n: { $eq: { $gt: 1 } } }, '/filter/n/$eq'],
    [{ n: { $in: [{ $gt: 1 }] } }, '/filter/n/$in/0'],
    [{ n: { $in: Array(101).fill(1) } }, '/filter/n/$in'],
    [{ n: { $in: 'x' } }, '/filter/n/$in'],
    [{ n: { $gt: null } }, '/filter/n/$gt'],
    [{ n: { $gt: [1] } }, '/filter/n/$gt'],
    [{ n: { $exists: 1 } }, '/filter/n/$exists'],
    [{ n: { $prefix: /x/ } }, '/filter/n/$prefix'],
    [{ n: {} }, '/filter/n'],
    [{ n: { constructor: 1 } }, '/filter/n/constructor'],
    [{ n: json('{"__proto__":1}') }, '/filter/n/__proto__'],
    [{ n: [1] }, '/filter/n'],
    [{ n: 'x'.repeat(1_025) }, '/filter/n'],
    [{ n: '\0' }, '/filter/n'],
    [{ n: Number.POSITIVE_INFINITY }, '/filter/n'],
    [{ 'a.b.c.d.e': 1 }, '/filter/a.b.c.d.e'],
    [{ 'a..b': 1 }, '/filter/a..b'],
    [{ 'a"] ? (true)': 1 }, '/filter/a"] ? (true)'],
    [{ "a') or true --": 1 }, "/filter/a') or true --"],
    [{ constructor: 1 }, '/filter/constructor'],
    [json('{"__proto__":1}'), '/filter/__proto__'],
    [{ $and: [] }, '/filter/$and'],
    [{ $or: {} }, '/filter/$or'],
    [{ $or: ['x'] }, '/filter/$or/0'],
    [{ $not: [] }, '/filter/$not'],
    [{ $or: Array(51).fill({ n: 1 }) }, '/filter/$or/49/n'],
    [{ $not: { $not: { $not: { $not: { $not: { n: 1 } } } } } }, '/filter/$not/$not/$not/$not/$not']
  ]
  for (const [filter, param] of cases)
    for (const method of ['storage.find', 'storage.count'] as const)
      await t.rejects(
        ada(method, { collection: 'places', filter }),
        { kind: 'invalid', param, code: undefined },
        JSON.stringify(filter).slice(0, 80)
      )
  for (const by of ['$where', 'a b', 'a.', "a' desc --", ''])
    await t.rejects(ada('storage.find', { collection: 'places', sort: { by } }), {
      param: '/sort/by',
      code: undefined
    })
})

t.test('an app has what its manifest asks for, and what no other one has', async (t) => {
  const undeclared = { kind: 'forbidden', code: 'storage_not_declared' }
  const bare = (await booted.app(as('ada'), { keyValue: false })).as('ada')
  await t.rejects(bare('storage.get', { key: 'k' }), undeclared)
  await t.rejects(bare('storage.find', { collection: 'places' }), undeclared)
  const own = (await booted.app(as('ada'), { keyValue: true })).as('ada')
  t.match(await own('storage.set', { key: 'k', value: 1 }), { version: 1 })
  for (const method of ['get', 'delete', 'list'] as const)
    await t.rejects(
      own(`storage.${method}`, { ...(method !== 'list' && { key: 'k' }), scope: 'app' }),
      undeclared
    )
  await t.rejects(own('storage.set', { key: 'k', value: 1, scope: 'app' }), undeclared)
  await t.rejects(ada('storage.find', { collection: 'others' }), undeclared)
  await t.rejects(ada('storage.drop' as 'storage.get', {}), { kind: 'notFound', code: undefined })
  await t.rejects(ada('__proto__' as 'storage.get', {}), { kind: 'notFound', code: undefined })

  const other = (await booted.app()).as('ada')
  await ada('storage.set', { key: 'mine', value: 1, scope: 'app' })
  await ada('storage.insert', { collection: 'places', id: 'mine', document: {} })
  t.equal(await other('storage.get', { key: 'mine', scope: 'app' }), null)
  t.same((await other('storage.list', { scope: 'app' })).items, [])
  t.equal(await other('storage.findOne', { collection: 'places', id: 'mine' }), null)
  t.same(await other('storage.remove', { collection: 'places', id: 'mine' }), { removed: false })
  t.match(await ada('storage.get', { key: 'mine', scope: 'app' }), { value: 1 })
})

t.test('who does not wait any more is not waited for', async (t) => {
  const { storageCalls } = depsOf(booted) as { storageCalls: StorageCalls }
  const installation = { id: app.id, project: 'default', owner: 'ada', storage: { keyValue: true as const } }
  const call = (signal: AbortSignal) =>
    storageCalls.call(installation, principal('ada'), 'storage.set', { key: 'late', value: 1 }, signal)
  await t.rejects(call(AbortSignal.abort(new Error('gone'))), /gone/)

  const { knex } = platform
  const trx = await knex.transaction()
  await trx('app_storage.usage').where({ appId: app.id }).forUpdate()
  const stop = new AbortController()
  const ended: Failed[] = []
  const calls = Array.from({ length: 150 }, () =>
    call(stop.signal).catch((error: Failed) => void ended.push(error))
  )
  await until(
    async () => ended.length,
    (count) => count === 57
  )
  t.ok(
    ended.every(({ kind }) => kind === 'rateLimited'),
    'three are under way, ninety wait, the others come later'
  )
  const other = (await booted.app()).as('eve')
  await other('storage.set', { key: 'k', value: 1 })
  t.match(await other('storage.get', { key: 'k' }), { value: 1 }, 'another app goes on meanwhile')
  stop.abort(new Error('stopped'))
  await Promise.all(calls)
  t.equal(ended.filter(({ message }) => message === 'stopped').length, 93)
  await trx.commit()
  t.match(await ada('storage.set', { key: 'after', value: 1 }), { version: 1 })
})
