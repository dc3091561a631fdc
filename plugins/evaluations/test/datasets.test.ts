import t from 'tap'
import { testResource } from '../../../test/resource.ts'
import { base, stage } from './testbed.ts'

const booted = await stage(t)
const { as, anyone, settled, knex, ada, eve, dataset, read } = booted

t.test('datasets are the owner’s, and so is what they have', async (t) => {
  await testResource(t, booted, {
    path: `${base}/datasets`,
    create: () => ({ name: 'Refunds' }),
    changes: { name: 'Returns', description: 'What people ask when they send something back' },
    searched: { name: 'Quagga' },
    wrong: { name: 7 },
    update: 'patch'
  })
  const id = await dataset([{ input: 'a', expected: 'b', metadata: { topic: 'letters' } }, { input: 'c' }])
  const at = `${base}/datasets/${id}`
  const items = `${at}/items`
  t.match((await ada.get(`${items}?expected=missing`)).body, { data: [{ input: 'c' }], nextCursor: null })
  const [second, first] = (await ada.get(items)).body.data
  t.match(first, { input: 'a', expected: 'b', metadata: { topic: 'letters' }, version: 1 })
  t.match(await ada.patch(`${items}/${second.id}`, { expected: 'd' }), {
    body: { data: { expected: 'd', version: 2 } }
  })
  for (const refused of [
    eve.get(at),
    eve.get(items),
    eve.post(items, { items: [{ input: 'x' }] }),
    eve.patch(`${items}/${first.id}`, { input: 'x' }),
    eve.delete(`${items}/${first.id}`),
    eve.get(`${items}/export`),
    as('robot', { type: 'agent', owner: 'ada' }).get(at)
  ])
    t.match(await refused, { status: 403 })
  t.match(await anyone.get(items), { status: 401 })
  t.match(await ada.get(`${items}/item_nope`), { status: 404 })
  const other = await dataset()
  t.match(await ada.get(`${base}/datasets/${other}/items/${first.id}`), { status: 404 }, 'of another one')
  for (const [body, param] of [
    [{ items: [] }, '/items'],
    [{ items: [{ input: '' }] }, '/items/0/input'],
    [{ items: [{ input: 'a', metadata: { n: 1 } }] }, '/items/0/metadata/n'],
    [{ items: [{ input: 'a', answer: 'b' }] }, '/items/0/answer']
  ] as const)
    t.match(await ada.post(items, body), { status: 400, body: { error: { param } } })
  const many = Array.from({ length: 39 }, () => ({ input: 'x' }))
  t.match(await ada.post(items, { items: many }), { status: 409, body: { error: { code: 'dataset_full' } } })
  t.match(await ada.delete(`${items}/${second.id}`), { status: 200 })
  t.match(await read(`/datasets/${id}`), { itemCount: 1, version: 1 })
  await ada.delete(`${base}/datasets/${other}`)
  const made: number[] = []
  while (made.at(-1) !== 409 && made.length < 20)
    made.push((await ada.post(`${base}/datasets`, { name: 'More' })).status)
  t.equal(made.at(-1), 409, 'an owner has twenty at most')
  for (const { id } of (await ada.get(`${base}/datasets?limit=100`)).body.data)
    t.match(await ada.delete(`${base}/datasets/${id}`), { status: 200 })
  await settled()
  t.same(await knex('evaluations.item').where({ owner: 'ada' }), [])
})

t.test('items come from files, and go into files that can be read again', async (t) => {
  const id = await dataset()
  const load = (to: string, type: string, body: string, client = ada) =>
    client.request('POST', `${base}/datasets/${to}/items/import`, { body, headers: { 'content-type': type } })
  const csv =
    '\ufeffinput,expected,topic\r\n"Say ""hi"", please",hi,greeting\r\n"two\nlines",,\r\n=1+1,2,maths\r\n'
  t.match(await load(id, 'text/csv', csv), { status: 201, body: { data: { count: 3 } } })
  const rows = (await ada.get(`${base}/datasets/${id}/items`)).body.data.reverse()
  t.match(rows, [
    { input: 'Say "hi", please', expected: 'hi', metadata: { topic: 'greeting' } },
    { input: 'two\nlines', expected: null, metadata: {} },
    { input: '=1+1', expected: '2' }
  ])
  for (const format of ['csv', 'jsonl']) {
    const file = await fetch(`${booted.url}${base}/datasets/${id}/items/export?format=${format}`, {
      headers: { authorization: `Bearer ${await ada.key()}` }
    })
    t.match(file.headers.get('content-type'), format === 'csv' ? /^text\/csv/ : /^application\/jsonl/)
    const copy = await dataset()
    t.match(await load(copy, String(file.headers.get('content-type')), await file.text()), { status: 201 })
    const what = ({ input, expected, metadata }: Record<string, unknown>) => ({ input, expected, metadata })
    const back = (await ada.get(`${base}/datasets/${copy}/items`)).body.data.reverse()
    t.same(back.map(what), rows.map(what), format)
  }
  for (const [type, body, status, message] of [
    ['text/csv', 'question,answer\na,b', 400, /no column "input"/],
    ['text/csv', 'input,expected\na,b\n"c', 400, /Line 3/],
    ['application/jsonl', '{"input":"a"}\n{"input":7}', 400, /Line 2: input must be string/],
    ['application/jsonl', '{"input":"a"}\nnonsense', 400, /Line 2 is not JSON/],
    ['application/jsonl', `${JSON.stringify({ input: 'a' })}\n`.repeat(41), 400, /Line 41/],
    ['application/jsonl', '', 400, /no item/],
    ['text/plain', 'a', 415, /text\/csv/]
  ] as const)
    t.match(await load(id, type, body), { status, body: { error: { message } } }, body.slice(0, 40))
  t.match(await load(id, 'text/csv', csv, eve), { status: 403 })
  t.equal((await read(`/datasets/${id}`)).itemCount, 3, 'a file that is wrong adds nothing')
})
