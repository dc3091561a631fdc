// Authors bring schemas of either TypeBox: what both make is JSON Schema.
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { stage, workshop } from './stage.ts'

const pack = `import { definePack } from 'agent-platform'
import { Type } from '@sinclair/typebox'

const Parcel = Type.Object(
  { to: Type.String({ minLength: 1 }), grams: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]) },
  { title: 'Parcel', additionalProperties: false }
)
const Sent = Type.Object({ data: Type.Object({ id: Type.Integer(), ...Parcel.properties }) })

export default definePack({
  name: 'parcels',
  area: 'Test',
  requires: ['tools'],
  routes(app) {
    const schema = { params: Type.Object({ id: Type.Integer() }), querystring: Type.Object({ fast: Type.Optional(Type.Boolean()) }) }
    app.put('/parcels/:id', { schema: { ...schema, body: Parcel, response: { 200: Sent } } }, async ({ params, body }) => ({
      data: { ...params, ...body, secret: 'not in the reply' }
    }))
  },
  contributes: {
    'tools.static': [
      { key: 'send_parcel', make: () => ({ description: 'Send a parcel', parameters: Parcel, call: async ({ args }) => ({ output: args }) }) }
    ]
  }
})
`

t.test('schemas made by @sinclair/typebox 0.34', async (t) => {
  const { folder, write } = await workshop(t)
  await write('parcels', { 'pack.ts': pack })
  const packs = ['agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools', 'docs', 'parcels']
  const { as } = await stage(t, packs, { folders: [folder] })
  const ada = as('ada')

  await t.test('check what routes take and shape what they give', async (t) => {
    const sent = await ada.put('/v1/parcels/7?fast=true', { to: 'Bob', grams: null })
    t.same([sent.status, sent.body], [200, { data: { id: 7, to: 'Bob', grams: null } }])
    const refused = (param: string) => ({ status: 400, body: { error: { param } } })
    t.match(await ada.put('/v1/parcels/seven', { to: 'Bob', grams: 1 }), refused('id'))
    t.match(await ada.put('/v1/parcels/7', { to: 'Bob', grams: 0 }), refused('/grams'))
    t.match(await ada.put('/v1/parcels/7', { to: 'Bob', grams: 1, gift: true }), refused('/gift'))
    t.match(await ada.put('/v1/parcels/7?slow=true', { to: 'Bob', grams: 1 }), refused('slow'))
  })

  await t.test('are told in the description of the API', async (t) => {
    const { body } = await ada.get('/openapi.json')
    t.match(body.paths['/v1/parcels/{id}'].put.requestBody, Object)
    t.match(body.components.schemas.Parcel, { properties: { to: { type: 'string', minLength: 1 } } })
  })

  await t.test('are parameters of tools', async (t) => {
    const agent = await ada.agent()
    t.match(await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'send_parcel' }), { status: 201 })
    const call = (args: object) =>
      ada.post(`/v1/runtime/agents/${agent.id}/tools/invoke`, { toolName: 'send_parcel', args })
    const args = { to: 'Bob', grams: 5 }
    t.match(await call(args), { status: 200, body: { data: { isError: false, output: args } } })
    t.match(await call({ to: 'Bob', grams: 'five' }), {
      status: 400,
      body: { error: { param: '/args/grams' } }
    })
  })

  await t.test('are parameters of tools of the caller', async (t) => {
    const agent = await ada.agent()
    const parameters = Type.Object({ to: Type.String(), gift: Type.Optional(Type.Boolean()) })
    const { status, body } = await ada.post('/v1/agents/run', {
      agentId: agent.id,
      messages: [{ role: 'user', content: '/call wrap {"to":"Bob"}' }],
      cliTools: [{ name: 'wrap', parameters }]
    })
    t.equal(status, 200)
    t.match(body.data, { status: 'waiting', pending: [{ toolName: 'wrap', args: { to: 'Bob' } }] })
  })
})
