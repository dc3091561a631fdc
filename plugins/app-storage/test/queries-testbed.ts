import type { Test } from 'tap'
import type { App } from './testbed.ts'

/** What filters and orders mean, wherever the documents lie. */
export async function asks(t: Test, make: () => Promise<App>): Promise<void> {
  await t.test('filters mean the same everywhere', async (t) => {
    const ada = (await make()).as('ada')
    const collection = 'places'
    const documents = {
      a: { n: 1, s: 'apple', b: true, tags: ['x', 'y'], at: { city: 'Ulm' } },
      b: { n: 2, s: 'Banana', b: false, tags: [], at: { city: 'Bonn' } },
      c: { n: 3.5, s: 'äpfel', z: null, tags: [['x']], list: [{ k: 1 }, { k: 5 }] },
      d: { n: '2', s: '', at: 'Ulm' },
      e: { n: -1, s: 'a.*(b', tags: 'x', $: undefined },
      f: {}
    }
    for (const [id, document] of Object.entries(documents))
      await ada('storage.insert', { collection, id, document: JSON.parse(JSON.stringify(document)) })
    const cases: [filter: object, ids: string][] = [
      [{}, 'abcdef'],
      [{ n: 2 }, 'b'],
      [{ n: '2' }, 'd'],
      [{ b: false }, 'b'],
      [{ z: null }, 'abcdef'],
      [{ b: null }, 'cdef'],
      [{ s: '' }, 'd'],
      [{ n: { $gt: 1 } }, 'bc'],
      [{ n: { $gte: 1, $lt: 3.5 } }, 'ab'],
      [{ n: { $lte: 1 } }, 'ae'],
      [{ n: { $gt: '1' } }, 'd'],
      [{ s: { $gt: 'a' } }, 'ace'],
      [{ s: { $lt: 'a' } }, 'bd'],
      [{ n: { $in: [1, '2', 99] } }, 'ad'],
      [{ z: { $in: [null, 7] } }, 'abcdef'],
      [{ n: { $in: [] } }, ''],
      [{ n: { $ne: 2 } }, 'acdef'],
      [{ tags: 'x' }, 'ae'],
      [{ tags: { $in: ['y'] } }, 'a'],
      [{ tags: { $exists: true } }, 'abce'],
      [{ z: { $exists: true } }, 'c'],
      [{ b: { $exists: false } }, 'cdef'],
      [{ s: { $prefix: 'a' } }, 'ae'],
      [{ s: { $prefix: 'a.*(' } }, 'e'],
      [{ s: { $prefix: 'ä' } }, 'c'],
      [{ s: { $prefix: '' } }, 'abcde'],
      [{ 'at.city': 'Ulm' }, 'a'],
      [{ 'at.city': { $exists: true } }, 'ab'],
      [{ 'list.k': { $gt: 4 } }, 'c'],
      [{ 'list.k': 1 }, 'c'],
      [{ id: 'c' }, 'c'],
      [{ id: { $in: ['a', 'f', 3] } }, 'af'],
      [{ id: { $gte: 'c', $lt: 'e' } }, 'cd'],
      [{ id: { $prefix: 'b' } }, 'b'],
      [{ id: { $exists: true } }, 'abcdef'],
      [{ id: 7 }, ''],
      [{ $and: [{ n: { $gt: 0 } }, { b: true }] }, 'a'],
      [{ $or: [{ n: 1 }, { s: '' }] }, 'ad'],
      [{ $not: { n: { $gt: 0 } } }, 'def'],
      [{ n: { $not: { $gt: 0 } } }, 'def'],
      [{ $not: { $or: [{ n: 1 }, { b: false }] }, id: { $lt: 'e' } }, 'cd']
    ]
    for (const [filter, ids] of cases) {
      const name = JSON.stringify(filter)
      const { items } = await ada('storage.find', { collection, filter })
      t.equal(items.map(({ id }: { id: string }) => id).join(''), ids, name)
      t.same(await ada('storage.count', { collection, filter }), { count: ids.length }, name)
      t.equal((await ada('storage.findOne', { collection, filter }))?.id ?? '', ids.slice(0, 1), name)
    }
  })

  await t.test('sorts by a field of any kind, page by page', async (t) => {
    const ada = (await make()).as('ada')
    const collection = 'places'
    const values = [3, 'b', true, null, 1, 'B', false, undefined, [5], { x: 1 }, 2.5, 'ab', 1, 'ä']
    for (const [at, k] of values.entries())
      await ada('storage.insert', {
        collection,
        id: `d${String(at).padStart(2, '0')}`,
        document: { k, in: { k } }
      })
    const asc = [
      'd03',
      'd07',
      'd08',
      'd09',
      'd04',
      'd12',
      'd10',
      'd00',
      'd05',
      'd11',
      'd01',
      'd13',
      'd06',
      'd02'
    ]
    const walk = async (sort: object) => {
      const found: string[] = []
      for (let cursor: string | null = null; ; ) {
        const page = await ada('storage.find', { collection, sort, limit: 3, ...(cursor && { cursor }) })
        found.push(...page.items.map(({ id }: { id: string }) => id))
        cursor = page.nextCursor
        if (!cursor) return found
      }
    }
    t.same(await walk({ by: 'k' }), asc)
    t.same(await walk({ by: 'in.k', order: 'desc' }), asc.toReversed())
    t.same(await walk({ by: 'id', order: 'desc' }), asc.toSorted().reverse())
    await ada('storage.update', { collection, id: 'd05', set: { k: 'b' } })
    const later = asc.toSorted().filter((id) => id !== 'd05')
    t.same(await walk({ by: 'version' }), [...later, 'd05'])
    t.same(await walk({ by: 'version', order: 'desc' }), ['d05', ...later.toReversed()])
    // Some of them may have been made within one millisecond.
    const { items: all } = await ada('storage.find', { collection, limit: 100 })
    for (const by of ['createdAt', 'updatedAt']) {
      const keys = all.map((one: Record<string, string>) => `${one[by]} ${one.id}`)
      const ids = keys.sort().map((key: string) => key.split(' ')[1])
      t.same(await walk({ by }), ids, by)
      t.same(await walk({ by, order: 'desc' }), ids.toReversed(), by)
    }
    const { nextCursor: cursor } = await ada('storage.find', { collection, sort: { by: 'k' }, limit: 3 })
    await t.rejects(ada('storage.find', { collection, sort: { by: 'in.k' }, cursor }), {
      param: '/cursor',
      code: undefined
    })
    for (const [by, made] of [
      ['version', 'one'],
      ['createdAt', 'yesterday']
    ] as const) {
      const sort = { by, order: 'asc' }
      const page = await ada('storage.find', { collection, sort, limit: 3 })
      const [digest, id] = JSON.parse(Buffer.from(page.nextCursor, 'base64url').toString())
      const forged = Buffer.from(JSON.stringify([digest, id, made])).toString('base64url')
      await t.rejects(
        ada('storage.find', { collection, sort, cursor: forged }),
        { param: '/cursor', code: undefined },
        by
      )
    }
  })

  await t.test('documents are found by their version and their times', async (t) => {
    const ada = (await make()).as('ada')
    const collection = 'places'
    const made = []
    for (const id of ['a', 'b'])
      made.push(await ada('storage.insert', { collection, id, document: { at: { version: 7 } } }))
    const [{ createdAt }] = made
    const changed = await ada('storage.update', { collection, id: 'b', set: { n: 1 } })
    const zoned = `${new Date(Date.parse(createdAt) + 7_200_000).toISOString().slice(0, -1)}+02:00`
    const cases: [filter: object, ids: string][] = [
      [{ version: 2 }, 'b'],
      [{ version: { $lt: 2 } }, 'a'],
      [{ version: { $in: [1, 'b', null] } }, 'a'],
      [{ version: { $ne: 1 } }, 'b'],
      [{ version: { $gt: 1e30 } }, ''],
      [{ version: { $gt: 1.5 } }, 'b'],
      [{ version: '2' }, ''],
      [{ version: null }, ''],
      [{ version: { $prefix: '2' } }, ''],
      [{ version: { $exists: true } }, 'ab'],
      [{ 'at.version': 7 }, 'ab'],
      [{ createdAt, id: 'a' }, 'a'],
      [{ createdAt: zoned, id: 'a' }, 'a'],
      [{ createdAt: { $gte: createdAt } }, 'ab'],
      [{ createdAt: { $lt: createdAt } }, ''],
      [{ createdAt: { $gt: '1999-12-31', $lt: '9999-12-31T23:59Z' } }, 'ab'],
      [{ createdAt: { $in: ['1999-12-31', createdAt] }, id: 'a' }, 'a'],
      [{ createdAt: { $exists: false } }, ''],
      [{ updatedAt: changed.updatedAt, version: 2 }, 'b'],
      [{ updatedAt: { $not: { $gt: '1999-12-31' } } }, '']
    ]
    for (const [filter, ids] of cases) {
      const name = JSON.stringify(filter)
      const { items } = await ada('storage.find', { collection, filter })
      t.equal(items.map(({ id }: { id: string }) => id).join(''), ids, name)
      t.same(await ada('storage.count', { collection, filter }), { count: ids.length }, name)
    }
    for (const wrong of [
      7,
      null,
      'yesterday',
      '2026-02-30T00:00:00Z ',
      '9999-12-31T23:59-05:00',
      '0000-01-01'
    ])
      await t.rejects(
        ada('storage.find', { collection, filter: { createdAt: { $in: [wrong] } } }),
        { param: '/filter/createdAt/$in/0', message: /has to be a time/ },
        String(wrong)
      )
    await t.rejects(ada('storage.count', { collection, filter: { updatedAt: { $prefix: '2026' } } }), {
      param: '/filter/updatedAt/$prefix',
      code: undefined
    })
  })
}
