import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import { testResource } from '../../../test/resource.ts'
import type { VersionStore } from '../stores/versions.ts'

const booted = await boot(t, 'workflows')
const { as, platform, settled } = booted
const [ada, eve, far] = [as('ada'), as('eve'), as('far', { project: 'elsewhere' })]

const transform = (value: unknown) => ({ steps: [{ id: 'one', type: 'transform', config: { value } }] })
const make = async (fields: object = {}, client = ada) => {
  const order = { name: 'Triage', definition: transform('{{ input }}'), ...fields }
  return (await client.post('/v1/workflows', order)).body.data
}
const versions = () => platform.server.current().packs.get('workflows')?.deps.versionStore as VersionStore

t.test('workflows are a resource', (t) =>
  testResource(t, booted, {
    path: '/v1/workflows',
    create: () => ({ name: 'Triage', definition: transform(1) }),
    searched: { description: 'Quagga' },
    changes: { name: 'Sort', description: 'By hand', visibility: 'private', definition: transform(2) },
    wrong: { visibility: 'some', definition: { steps: [] }, description: 1 }
  })
)

t.test('a definition is shown as it was given; a list leaves it out', async (t) => {
  const definition = transform({ z: 1, a: { y: '{{ input.x }}' } })
  const made = await make({ definition })
  const { body, text } = await ada.get(`/v1/workflows/${made.id}`)
  t.same(body.data.definition, definition)
  t.ok(text.includes(JSON.stringify(definition.steps[0]?.config)), 'in its order')
  const [first] = (await ada.get('/v1/workflows?limit=1')).body.data
  t.equal(first.id, made.id)
  t.notOk('definition' in first)
  await make({ visibility: 'public' })
  const listed = (await ada.get('/v1/workflows?visibility=public')).body.data
  t.same(
    listed.map(({ visibility }: { visibility: string }) => visibility),
    ['public']
  )
})

t.test('what everyone may read only its owner changes', async (t) => {
  const url = `/v1/workflows/${(await make({ visibility: 'public' })).id}`
  for (const client of [eve, far]) {
    t.match(await client.get(url), { status: 200, body: { data: { owner: 'ada', name: 'Triage' } } })
    t.match(await client.put(url, { name: 'Mine' }), { status: 403 })
    t.match(await client.delete(url), { status: 403 })
  }
  t.match(await ada.put(url, { visibility: 'private' }), { status: 200 })
  t.match(await eve.get(url), { status: 403 })
})

t.test('each definition stays under the version that it came with', async (t) => {
  const { id } = await make({ definition: transform(1) })
  const url = `/v1/workflows/${id}`
  t.match((await ada.put(url, { name: 'Sort' })).body.data, { version: 2 })
  t.match((await ada.put(url, { definition: transform(3) })).body.data, { version: 3 })
  for (const [version, value] of [
    [1, 1],
    [2, 1],
    [3, 3],
    [4, 3]
  ] as const)
    t.same(await versions().find('default', id, version), transform(value), `version ${version}`)
  t.equal(await versions().find('elsewhere', id, 1), undefined)
  const shown = await ada.get(`${url}/versions`)
  t.match(shown.body, {
    data: [
      { version: 3, workflowId: id, createdAt: String },
      { version: 1, workflowId: id, createdAt: String }
    ],
    nextCursor: null
  })
  t.equal(shown.body.data[0].definition, undefined)
  const first = await ada.get(`${url}/versions?limit=1`)
  const second = await ada.get(`${url}/versions?limit=1&cursor=${first.body.nextCursor}`)
  t.same([...first.body.data, ...second.body.data], shown.body.data)
  t.match((await ada.get(`${url}/versions/2`)).body.data, { version: 1, definition: transform(1) })
  for (const [path, status] of [
    ['4', 404],
    ['0', 400],
    ['one', 400]
  ] as const)
    t.match(await ada.get(`${url}/versions/${path}`), { status })
  await ada.put(url, { visibility: 'public' })
  for (const path of ['versions', 'versions/3']) {
    t.match(await eve.get(`${url}/${path}`), { status: 403 }, 'of a public one the latest alone is for all')
    t.match(await ada.get(`/v1/workflows/workflow_nope/${path}`), { status: 404 })
  }
  await ada.delete(url)
  await settled()
  const left = () => platform.knex('workflows.version').where({ workflowId: id }).pluck('version')
  t.same(await until(left, ({ length }) => length === 0), [], 'they go with the workflow')
})

t.test('agents make no workflows', async (t) => {
  const { id } = await ada.agent()
  const order = { name: 'Triage', definition: transform(1) }
  t.match(await as(id, { type: 'agent' }).post('/v1/workflows', order), { status: 403 })
})
