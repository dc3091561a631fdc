// budget: 8 s, because functions of an app run while agents answer
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import { follow, join, local, make, makeSpace } from './testbed.ts'

const env = { SANDBOX_PROCESSES: '2', SPACES_AGENT_TURNS: '4' }
const booted = await boot(t, 'spaces', 'models', 'app-functions', 'sandbox', { env })
const { as, url, settled, platform } = booted
const [ada, bob, eve] = [as('ada'), as('bob'), as('eve')]
const path = '/v1/ui-plugins'
const functions = {
  answer: `const { data: [space] } = await context.platform.spaces.list({})
    const { data: [last] } = await context.platform.spaces.read({ spaceId: space.id, limit: 1 })
    const order = { spaceId: space.id, content: 'Noted: ' + last.content, replyToId: last.id, key: last.id }
    const one = await context.platform.spaces.post(order)
    const again = await context.platform.spaces.post(order)
    return { one, again, own: await context.platform.spaces.listMembers({ spaceId: space.id }) }`,
  fill: `for (let n = 0; n < 500; n++)
    await context.platform.spaces.post({ spaceId: input.spaceId, content: 'Line ' + n })`,
  shout: 'return context.platform.spaces.post(input)'
}
const capabilities = ['list', 'listMembers', 'read', 'post'].map((name) => `spaces.${name}`)

/** Another version of what the project's apps may do in these spaces; none named: in all of the caller's. */
async function grant(spaces?: readonly string[]) {
  const grants = {
    capabilities: capabilities.map((name) => ({ name, ...(spaces && { spaces }) })),
    hosts: []
  }
  const status = { status: 'enabled', audience: 'project', grants }
  const { status: code, text } = await booted.admin.put(`${path}/deck-hand/status`, status)
  if (code !== 200) throw new Error(text)
}
const ask = (client: typeof ada, name: string, input: object = {}) =>
  client.post(`${path}/deck-hand/gateway`, { method: 'functions.call', params: { name, input } })
const method = (client: typeof ada, method: string, params: object) =>
  client.post(`${path}/deck-hand/gateway`, { method, params })
const refuses = (status: number, code: string) => ({ status, body: { error: { code } } })

const registered = await ada.put(path, {
  manifest: {
    manifestVersion: 1,
    id: 'deck-hand',
    name: 'Deck hand',
    version: '1.0.0',
    description: 'Takes notes of what is said',
    server: { entry: 'server.js' },
    capabilities: capabilities.map((name) => ({ name, reason: 'To take notes' })),
    egress: [],
    connections: [],
    functions: Object.keys(functions).map((name) => {
      return { name, description: `Does ${name}`, input: { type: 'object' }, tool: true }
    }),
    pages: []
  },
  files: {
    'server.js': {
      text: `export const functions = { ${Object.entries(functions)
        .map(([name, body]) => `async ${name}(input, context) { ${body} }`)
        .join(', ')} }`
    }
  }
})
if (registered.status >= 300) throw new Error(registered.text)

t.test('an app reads and posts as its caller, in the spaces that a grant names, and no other', async (t) => {
  const [open, closed] = [await makeSpace(ada, { name: 'Deck' }), await makeSpace(ada, { name: 'Hold' })]
  await join(ada, open.id, 'bob')
  await join(ada, open.id, 'cy', { role: 'guest' })
  const asked = await make(bob, `/v1/spaces/${open.id}/messages`, { content: 'Two ships' })
  await grant([open.id])
  const { one, again, own } = (await ask(bob, 'answer')).body.data
  t.match(one, { authorName: 'bob', content: 'Noted: Two ships', replyToId: asked.id, spaceId: open.id })
  t.equal(again.id, one.id, 'a key is a message')
  t.notMatch(JSON.stringify(one), /rootId|turn|owner|project/)
  t.equal(own.data.length, 3)
  t.match((await method(ada, 'spaces.list', {})).body.data.data, [{ id: open.id, role: 'owner' }])
  for (const name of ['spaces.read', 'spaces.listMembers'])
    t.match(await method(ada, name, { spaceId: closed.id }), refuses(403, 'narrowed'), name)
  const order = { spaceId: closed.id, content: 'x' }
  t.match(await method(ada, 'spaces.post', order), refuses(403, 'narrowed'))
  t.match(await ask(ada, 'shout', order), refuses(502, 'narrowed'))
  // What was granted takes nobody where it may not go itself.
  for (const client of [eve, as('zoe', { project: 'elsewhere' })])
    t.match(await method(client, 'spaces.read', { spaceId: open.id }), { status: /403|404/ })
  t.match(await method(eve, 'spaces.read', { spaceId: open.id }), refuses(403, 'not_member'))
  t.match(await method(as('cy'), 'spaces.post', { ...order, spaceId: open.id }), refuses(403, 'not_granted'))
  t.match(await method(ada, 'spaces.read', { spaceId: open.id, limit: 0 }), {
    status: 400,
    body: { error: { param: '/params/limit' } }
  })
  await grant()
  t.match(await method(ada, 'spaces.post', order), { status: 200 })
  // Who was removed gets nothing by a key that it used before.
  const keyed = { spaceId: open.id, content: 'Mine', key: 'k' }
  t.match(await method(bob, 'spaces.post', keyed), { status: 200 })
  const members = (await ada.get(`/v1/spaces/${open.id}/members`)).body.data
  const { id } = members.find(({ subjectId }: { subjectId: string }) => subjectId === 'bob')
  await ada.delete(`/v1/spaces/${open.id}/members/${id}`)
  t.match(await method(bob, 'spaces.post', keyed), refuses(403, 'not_member'))
})

t.test('a grant that is narrowed holds from the next call on, in the middle of a function', async (t) => {
  const [open, other] = [await makeSpace(ada), await makeSpace(ada)]
  await grant([open.id])
  const reader = await follow(t, url, ada, open.id)
  const filling = ask(ada, 'fill', { spaceId: open.id })
  await reader.until(({ message }) => message?.content === 'Line 3')
  await grant([other.id])
  const { data } = (await ada.get(`/v1/spaces/${open.id}/messages?limit=1`)).body
  t.match(await filling, refuses(502, 'narrowed'))
  const { data: after } = (await ada.get(`/v1/spaces/${open.id}/messages?limit=1`)).body
  const line = (text: string) => Number(text.slice('Line '.length))
  t.ok(line(after[0].content) - line(data[0].content) <= 1, 'what was under way alone was done')
})

t.test('an agent that posts through an app does not answer itself for ever', async (t) => {
  const { id } = await makeSpace(ada)
  await grant([id])
  const agent = await ada.agent({ ...local, name: 'Echo' })
  await make(ada, `/v1/agents/${agent.id}/tools`, { toolId: 'deck-hand__shout' })
  await make(ada, `/v1/spaces/${id}/members`, {
    subjectType: 'agent',
    subjectId: agent.id,
    answers: 'always'
  })
  let content = 'Enough'
  for (let n = 0; n < 8; n++) content = `/call deck-hand__shout ${JSON.stringify({ spaceId: id, content })}`
  const first = await make(ada, `/v1/spaces/${id}/messages`, { content })
  await until(
    async () => {
      await settled()
      return platform.knex('spaces.answer').where({ spaceId: id }).whereIn('status', ['ordered', 'begun'])
    },
    ({ length }) => length === 0
  )
  const said = await platform.knex('spaces.message').where({ spaceId: id }).orderBy('id')
  const byApp = said.filter((it) => it.authorType === 'user' && it.id !== first.id)
  t.ok(byApp.length > 0, 'it posts in the name of whom it runs for')
  for (const { rootId, turn } of byApp) {
    t.equal(rootId, first.id, 'which goes back to what a person said')
    t.ok(turn > 0)
  }
  t.equal(byApp.length, 4, 'as many turns as the setting says, of eight that were asked for')
})
