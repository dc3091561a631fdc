import type { Test } from 'tap'
import { asks } from './queries-testbed.ts'
import type { App } from './testbed.ts'

/** What an app may rely on, wherever its data lies. `make` gives an app that keeps nothing yet, with a small quota when asked to. */
export async function behaves(t: Test, make: (storage?: object) => Promise<App>): Promise<void> {
  await t.test('values by key', async (t) => {
    const app = await make()
    const [ada, bob] = [app.as('ada'), app.as('bob')]
    const value = { 'a.b': [1, 2.5, -0.25, 1e21, null, true], $where: 'text', 'ä€😀': { deep: ['x'] } }
    t.equal(await ada('storage.get', { key: 'k' }), null)
    t.match(await ada('storage.set', { key: 'k', value }), { key: 'k', version: 1, updatedAt: String })
    t.match(await ada('storage.get', { key: 'k' }), { key: 'k', version: 1 })
    t.strictSame((await ada('storage.get', { key: 'k' })).value, value, 'as it was, whatever names are in it')
    for (const value of [null, false, 0, '', 'text', [], {}]) {
      await ada('storage.set', { key: 'plain', value })
      t.strictSame((await ada('storage.get', { key: 'plain' })).value, value)
    }
    t.match(await ada('storage.get', { key: 'plain' }), { version: 7 })

    t.equal(await bob('storage.get', { key: 'k' }), null, 'what is a user’s own is nobody else’s')
    t.same((await bob('storage.list', {})).items, [])
    t.same(await bob('storage.delete', { key: 'k' }), { removed: false })
    await ada('storage.set', { key: 'k', value: 'shared', scope: 'app' })
    t.match(await bob('storage.get', { key: 'k', scope: 'app' }), { value: 'shared' })
    t.match(await ada('storage.get', { key: 'k' }), { value: { $where: 'text' } })

    const conflict = { kind: 'preconditionFailed', code: 'version_conflict' }
    await t.rejects(ada('storage.set', { key: 'k', value: 1, ifVersion: 0 }), conflict)
    await t.rejects(ada('storage.set', { key: 'k', value: 1, ifVersion: 2 }), conflict)
    t.match(await ada('storage.set', { key: 'k', value: 1, ifVersion: 1 }), { version: 2 })
    t.match(await ada('storage.set', { key: 'new', value: 1, ifVersion: 0 }), { version: 1 })
    await t.rejects(ada('storage.delete', { key: 'k', ifVersion: 1 }), conflict)
    t.same(await ada('storage.delete', { key: 'k', ifVersion: 2 }), { removed: true })
    t.same(await ada('storage.delete', { key: 'k' }), { removed: false })
  })

  await t.test('lists by prefix, in the order of bytes, page by page', async (t) => {
    const ada = (await make()).as('ada')
    const keys = [
      'a/1',
      'a/10',
      'a/2',
      'a/%',
      'a/_',
      'a/Z',
      'a/é',
      'a/😀',
      'a/\uffee',
      'b/1',
      'a',
      'a.1',
      'a\\'
    ]
    for (const key of keys) await ada('storage.set', { key, value: key })
    const wanted = keys
      .filter((key) => key.startsWith('a/'))
      .sort((a, b) => Buffer.from(a).compare(Buffer.from(b)))
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page = await ada('storage.list', { prefix: 'a/', limit: 2, ...(cursor && { cursor }) })
      t.ok(page.items.length <= 2)
      found.push(...page.items.map(({ key }: { key: string }) => key))
      cursor = page.nextCursor
    } while (cursor)
    t.same(found, wanted)
    const pairs: [prefix: string, one: string][] = [
      ['a/%', 'a/%'],
      ['a/_', 'a/_'],
      ['a.', 'a.1'],
      ['a\\', 'a\\']
    ]
    for (const [prefix, one] of pairs)
      t.same(
        (await ada('storage.list', { prefix })).items.map(({ key }: { key: string }) => key),
        [one],
        prefix
      )
    const page = await ada('storage.list', { prefix: 'a/', limit: 2 })
    const foreign = { kind: 'invalid', param: '/cursor', code: undefined }
    await t.rejects(ada('storage.list', { prefix: 'b/', cursor: page.nextCursor }), foreign)
    await t.rejects(ada('storage.list', { prefix: 'a/', cursor: 'e30' }), foreign)
  })

  await t.test('documents', async (t) => {
    const app = await make()
    const [ada, bob] = [app.as('ada'), app.as('bob')]
    const collection = 'places'
    const made = await ada('storage.insert', { collection, document: { name: 'Ulm', size: 3 } })
    t.match(made, { id: /^doc_/, version: 1, name: 'Ulm', size: 3, createdAt: String, updatedAt: String })
    const named = await ada('storage.insert', { collection, id: 'bonn', document: {} })
    t.match(named, { id: 'bonn', version: 1 })
    await t.rejects(ada('storage.insert', { collection, id: 'bonn', document: {} }), {
      kind: 'conflict',
      code: 'already_exists',
      param: '/id'
    })
    const { id } = made
    t.same(await bob('storage.findOne', { collection, id }), made, 'shared, as the manifest says')

    const changed = await bob('storage.update', {
      collection,
      id,
      set: { size: 4, tags: ['x'] },
      unset: ['name']
    })
    t.match(changed, { id, version: 2, size: 4, tags: ['x'], createdAt: made.createdAt })
    t.notOk('name' in changed)
    await t.rejects(ada('storage.update', { collection, id, set: {}, ifVersion: 1 }), {
      code: 'version_conflict'
    })
    await t.rejects(ada('storage.update', { collection, id: 'none', set: {} }), {
      kind: 'notFound',
      code: undefined
    })
    await t.rejects(ada('storage.remove', { collection, id, ifVersion: 1 }), { code: 'version_conflict' })
    t.same(await ada('storage.remove', { collection, id, ifVersion: 2 }), { removed: true })
    t.equal(await ada('storage.findOne', { collection, id }), null)

    const mine = await ada('storage.insert', { collection: 'notes', id: 'n', document: { text: 'hers' } })
    t.match(await bob('storage.insert', { collection: 'notes', id: 'n', document: { text: 'his' } }), {
      version: 1
    })
    t.same(await ada('storage.findOne', { collection: 'notes', id: 'n' }), mine, 'each has one of their own')
    t.same(await bob('storage.count', { collection: 'notes' }), { count: 1 })
    t.match((await bob('storage.find', { collection: 'notes', filter: {} })).items, [{ text: 'his' }])
    await bob('storage.update', { collection: 'notes', id: 'n', set: { text: 'changed' } })
    await bob('storage.remove', { collection: 'notes', id: 'n' })
    t.same(await ada('storage.findOne', { collection: 'notes', id: 'n' }), mine)
  })

  await asks(t, make)

  await t.test('the quota holds, to the byte and the row, for whatever is written at once', async (t) => {
    const app = await make({
      keyValue: 'app',
      quotaBytes: 2_000,
      collections: [{ name: 'places', scope: 'app' }]
    })
    const users = ['ada', 'bob', 'eve'].map((name) => app.as(name))
    const [ada] = users as [(typeof users)[number]]
    // A key of four characters and a text of 94 with its quotes are a hundred bytes.
    const value = 'x'.repeat(94)
    const settled = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) =>
        (users[at % 3] as typeof ada)('storage.set', { key: `k-${10 + at}`, value })
      )
    )
    const refused = settled.filter((it) => it.status === 'rejected').map(({ reason }) => reason)
    t.equal(refused.length, 10, 'twenty of thirty')
    t.match(refused, Array(10).fill({ kind: 'insufficientStorage', code: 'quota_exceeded' }))
    const full = { code: 'quota_exceeded' }
    await t.rejects(ada('storage.insert', { collection: 'places', document: {} }), full)

    const { items } = await ada('storage.list', { limit: 100 })
    const { key } = items[0]
    await t.rejects(ada('storage.set', { key, value: `${value}x` }), full, 'a byte more')
    t.match(await ada('storage.set', { key, value: 'y'.repeat(94) }), { version: 2 }, 'as much as before')
    await ada('storage.set', { key, value: 'y'.repeat(93) })
    await ada('storage.set', { key, value })
    await t.rejects(ada('storage.set', { key: 'n', value: '' }), full)
    await ada('storage.delete', { key })
    await Promise.all(
      Array.from({ length: 6 }, () => ada('storage.set', { key, value }).catch(() => undefined))
    )
    await t.rejects(ada('storage.set', { key: 'n', value: '' }), full, 'one that six wrote counts once')
  })

  await t.test('of changes to one thing at the same time none is lost', async (t) => {
    const app = await make()
    const collection = 'places'
    await app.as('ada')('storage.insert', { collection, id: 'c', document: { n: 0 } })
    const add = async (name: string) => {
      const ask = app.as(name)
      for (let left = 4; left > 0; ) {
        const { n, version } = await ask('storage.findOne', { collection, id: 'c' })
        const done = await ask('storage.update', {
          collection,
          id: 'c',
          set: { n: n + 1 },
          ifVersion: version
        }).catch(({ code }) => t.equal(code, 'version_conflict') && undefined)
        if (done) left--
      }
    }
    await Promise.all(['ada', 'bob', 'eve'].map(add))
    t.match(await app.as('ada')('storage.findOne', { collection, id: 'c' }), { n: 12, version: 13 })
    const inserts = Array.from({ length: 5 }, () =>
      app
        .as('ada')('storage.insert', { collection, id: 'once', document: {} })
        .catch(({ code }) => code)
    )
    t.equal((await Promise.all(inserts)).filter((it) => it === 'already_exists').length, 4)
  })
}
