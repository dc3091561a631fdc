import t from 'tap'
import { boot } from '../boot.ts'
import { refused } from './refused.ts'

const propertiesOf = (part: unknown): object =>
  (part as { properties?: object } | undefined)?.properties ?? {}

const { platform, as } = await boot(t)
const [ada, eve] = [as('ada'), as('eve')]

/** What the schema of a request says of a place where a list may be told whose things it is to show. */
const namesOf = (part: unknown): string[] =>
  Object.keys(propertiesOf(part)).filter((name) => ['owner', 'initiator'].includes(name))

t.test('every list that is narrowed to an owner refuses one who is out of reach', async (t) => {
  const service = as('crm', { type: 'service' })
  const { id: agentId } = await ada.agent()
  const { id: ofService } = await service.agent()
  const lists = platform.packs
    .mounted()
    .flatMap(({ routes }) =>
      routes
        .filter(({ method }) => method === 'GET')
        .flatMap(({ path, schema }) => [
          ...namesOf(schema.querystring).map((name) => ({ path, name, query: `?${name}=` })),
          ...namesOf(schema.params).map((name) => ({ path, name, query: '' }))
        ])
    )
  const known = [
    '/v1/agents',
    '/v1/tools',
    '/v1/knowledge',
    '/v1/mcp/servers',
    '/v1/sessions/user/:initiator'
  ]
  for (const path of known) t.ok(lists.some((list) => list.path === path))

  for (const { path, name, query } of lists) {
    const at = (owner: string, agent: string) =>
      path.replace(':initiator', owner).replace(':agentId', agent) + (query && query + owner)
    t.notMatch(at('ada', agentId), ':', `${path} is called with all that it takes`)
    t.match(await ada.get(at('ada', agentId)), { status: 200 }, `${path} of itself`)
    refused(t, await ada.get(at('eve', agentId)), 403, { param: name }, `${path} of someone else`)
    refused(t, await eve.get(at('nobody', agentId)), 403, {}, `${path} of nobody`)
    t.match(await service.get(at('ann', ofService)), { status: 200 }, `${path} of one of its users`)
    const forBen = { 'x-initiator': 'ben' }
    t.match(await service.get(at('ben', ofService), forBen), { status: 200 }, `${path} of whom it acts for`)
    refused(t, await service.get(at('ann', ofService), forBen), 403, { param: name }, `${path} of another`)
  }
})

t.test('every list that is narrowed to an agent or a session refuses one that is out of reach', async (t) => {
  const idsOf = async (client: typeof ada) => {
    const { id: agentId } = await client.agent()
    const { body } = await client.post('/v1/sessions', { agentId })
    return { agentId, sessionId: body.data.id as string }
  }
  const [own, other] = [await idsOf(ada), await idsOf(eve)]
  const names = ['agentId', 'sessionId'] as const
  const lists = platform.packs.mounted().flatMap(({ routes }) =>
    routes
      // What a list of one thing (the peers of a fleet) takes is for the tests of that thing.
      .filter(
        ({ method, path, schema }) =>
          method === 'GET' && !path.includes(':') && 'limit' in propertiesOf(schema.querystring)
      )
      .flatMap(({ path, schema }) =>
        names.filter((name) => name in propertiesOf(schema.querystring)).map((name) => ({ path, name }))
      )
  )
  for (const known of [
    '/v1/goals agentId',
    '/v1/tasks agentId',
    '/v1/tasks sessionId',
    '/v1/tools/calls agentId'
  ])
    t.ok(
      lists.some(({ path, name }) => `${path} ${name}` === known),
      known
    )

  for (const { path, name } of lists) {
    t.match(await ada.get(`${path}?${name}=${own[name]}`), { status: 200 }, `${path} of its own`)
    refused(
      t,
      await ada.get(`${path}?${name}=${other[name]}`),
      403,
      { param: name },
      `${path} of someone else`
    )
    const none = own[name].replace(/_.*/, '_01k4qz0000e0080000000000ab')
    refused(t, await ada.get(`${path}?${name}=${none}`), 404, { param: name }, `${path} of what is not there`)
  }
})
