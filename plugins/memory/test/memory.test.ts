import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { loseEntries, refill } from '../../../test/packs/entries.ts'
import { testResource } from '../../../test/resource.ts'
import type { Memory, RetrievedMemory } from '../schemas/memories.ts'

const booted = await boot(t, 'memory', 'embeddings')
const { as, settled, platform } = booted
const ada = as('ada')

async function remember(client: Client, input: object): Promise<Memory> {
  const { status, body } = await client.post('/v1/memory', input)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}
const retrieve = async (client: Client, agentId: string, query: object): Promise<RetrievedMemory[]> =>
  (await client.get(`/v1/memory/agents/${agentId}/retrieve?${new URLSearchParams({ ...query })}`)).body.data
const contents = (found: readonly Memory[]) => found.map(({ content }) => content)

t.test('memories are a resource', (t) =>
  testResource(t, booted, {
    path: '/v1/memory',
    isListed: false,
    update: 'patch',
    create: async (client) => ({ agentId: (await client.agent()).id, content: 'Tea is drunk at four.' }),
    changes: {
      content: 'Tea is drunk at five.',
      importance: 0.9,
      type: 'preference',
      validTo: '2190-01-01T00:00:00.000Z'
    },
    wrong: { content: ' ', importance: 2, type: 'guess', validFrom: 'yesterday' }
  })
)

t.test('what is not said has its default; what cannot be is refused at its place', async (t) => {
  const { id: agentId } = await ada.agent()
  const input = { agentId, content: 'Ada lives in London.' }
  const made = await remember(ada, input)
  const nothing = { validTo: null, source: null, scopeId: null, supersedes: null, supersededBy: null }
  t.match(made, { ...nothing, type: 'fact', importance: 0.5, untrusted: false, validFrom: String })
  const refused = async (fields: object, status: number, param: string) =>
    t.match(await ada.post('/v1/memory', { ...input, ...fields }), { status, body: { error: { param } } })
  await refused({ validFrom: '2026-01-02T00:00:00Z', validTo: '2026-01-01T00:00:00Z' }, 400, '/validTo')
  await refused({ agentId: 'agent_nope' }, 404, '/agentId')
  await refused({ scopeId: 'scope_nope' }, 404, '/scopeId')
  await refused({ supersedes: 'memory_nope' }, 404, '/supersedes')
  await refused({ untrusted: false }, 400, '/untrusted')
  t.match(await as('eve').post('/v1/memory', input), { status: 403, body: { error: { param: '/agentId' } } })
  const agent = as(agentId, { type: 'agent' })
  t.match(await remember(agent, input), { owner: 'ada' }, 'an agent remembers for its owner')
})

t.test('what is not so any more is superseded, once, and can be read as of then', async (t) => {
  const { id: agentId } = await ada.agent()
  const london = await remember(ada, {
    agentId,
    content: 'Ada lives in London.',
    validFrom: '2025-01-01T00:00:00Z',
    importance: 0.7
  })
  const paris = await remember(ada, {
    agentId,
    content: 'Ada lives in Paris.',
    supersedes: london.id,
    validFrom: '2026-01-01T01:00:00+01:00'
  })
  t.match(paris, { supersedes: london.id, importance: 0.7, validFrom: '2026-01-01T00:00:00.000Z' })
  const old = (await ada.get(`/v1/memory/${london.id}`)).body.data
  t.match(old, { supersededBy: paris.id, validTo: paris.validFrom, content: london.content })

  const again = { agentId, content: 'Ada lives in Rome.', supersedes: london.id }
  const refused = { status: 409, body: { error: { code: 'already_superseded', param: '/supersedes' } } }
  t.match(await ada.post('/v1/memory', again), refused)
  const both = await Promise.all(
    ['Rome', 'Oslo'].map((city) =>
      ada.post('/v1/memory', { agentId, content: `Ada lives in ${city}.`, supersedes: paris.id })
    )
  )
  t.same(both.map(({ status }) => status).sort(), [201, 409], 'of two at the same time one takes its place')

  const list = async (query = '') =>
    contents((await ada.get(`/v1/memory/agents/${agentId}?${query}`)).body.data)
  const [now] = await list()
  t.match(now, /Rome|Oslo/)
  t.same(await list('asOf=2025-06-01T00:00:00Z'), ['Ada lives in London.'])
  t.same(await list('asOf=2026-01-01T00:00:00Z'), ['Ada lives in Paris.'])
  t.same(await list('asOf=2024-01-01T00:00:00Z'), [])
  t.equal((await list('all=true')).length, 3)
  t.match(await ada.get(`/v1/memory/agents/${agentId}?all=true&asOf=2026-01-01T00:00:00Z`), {
    status: 400,
    body: { error: { param: 'asOf' } }
  })
  t.same(contents(await retrieve(ada, agentId, { query: 'Where does Ada live?' })), [now])
  const then = await retrieve(ada, agentId, { query: 'Where does Ada live?', asOf: '2025-06-01T00:00:00Z' })
  t.same(contents(then), ['Ada lives in London.'])

  const other = await ada.agent()
  const elsewhere = {
    agentId: other.id,
    content: 'Elsewhere',
    supersedes: both.find(({ status }) => status === 201)?.body.data.id
  }
  t.match(await ada.post('/v1/memory', elsewhere), { status: 400, body: { error: { param: '/supersedes' } } })
})

t.test('memories are found by what they mean, and say why', async (t) => {
  const { id: agentId } = await ada.agent()
  for (const [content, fields] of [
    ['The customer pays by bank transfer at the end of each month.', {}],
    ['Her dog is called Bello.', { type: 'preference' }],
    ['The office in Berlin closes at six.', {}],
    ['Invoices go to accounting@example.com.', {}]
  ] as const)
    await remember(ada, { agentId, content, ...fields })
  const found = await retrieve(ada, agentId, { query: 'What is the name of her pet?', limit: 2 })
  t.equal(found.length, 2)
  const [first] = found
  t.equal(first?.content, 'Her dog is called Bello.')
  t.match(first?.why, { vectorRank: 1, recency: Number, importance: 0.5, relevance: Number })
  const { relevance = 0, recency = 0, importance = 0 } = first?.why ?? {}
  t.ok(Math.abs((first?.score ?? 0) - (0.8 * relevance + 0.1 * recency + 0.1 * importance)) < 1e-9)
  t.same(contents(await retrieve(ada, agentId, { query: 'Berlin' })).slice(0, 1), [
    'The office in Berlin closes at six.'
  ])
  t.same(contents(await retrieve(ada, agentId, { query: 'dog', type: 'preference' })), [
    'Her dog is called Bello.'
  ])

  const path = `/v1/memory/agents/${agentId}/retrieve?query=dog&limit=3`
  const { data, nextCursor } = (await ada.get(path)).body
  t.equal(data.length, 3)
  t.match((await ada.get(`${path}&cursor=${nextCursor}`)).body, { data: { length: 1 }, nextCursor: null })

  t.match((await ada.get(`/v1/memory/agents/${agentId}/stats`)).body.data, {
    total: 4,
    types: { fact: 3, preference: 1, episode: 0, instruction: 0 },
    past: 0,
    embedding: { embedded: 4, total: 4 }
  })
  for (const path of ['', '/stats', '/retrieve?query=dog']) {
    t.match(await as('eve').get(`/v1/memory/agents/${agentId}${path}`), { status: 403 })
    t.match(await ada.get(`/v1/memory/agents/agent_nope${path}`), { status: 404 })
  }
  t.match(await ada.get(`/v1/memory/agents/${agentId}/retrieve`), {
    status: 400,
    body: { error: { param: 'query' } }
  })
})

t.test('what counts more and what is newer comes before what fits as well', async (t) => {
  const { id: agentId } = await ada.agent()
  const content = 'The printer is on the second floor.'
  const make = (fields: object) => remember(ada, { agentId, content, ...fields })
  const old = await make({ validFrom: '2020-01-01T00:00:00Z' })
  const weighty = await make({ importance: 1 })
  const light = await make({ importance: 0 })
  const ids = (await retrieve(ada, agentId, { query: content })).map(({ id }) => id)
  t.equal(ids[0], weighty.id)
  t.ok(ids.includes(old.id) && ids.includes(light.id))
})

t.test('a service remembers for each of its users apart', async (t) => {
  const service = as('crm', { type: 'service' })
  const { id: agentId } = await service.agent()
  const of = (initiator: string) => ({
    make: async (content: string) =>
      (await service.post('/v1/memory', { agentId, content }, { 'x-initiator': initiator })).body.data,
    list: async () =>
      contents((await service.get(`/v1/memory/agents/${agentId}`, { 'x-initiator': initiator })).body.data),
    found: async (query: string) =>
      contents(
        (
          await service.get(`/v1/memory/agents/${agentId}/retrieve?query=${query}`, {
            'x-initiator': initiator
          })
        ).body.data
      )
  })
  const [max, moritz] = [of('max'), of('moritz')]
  t.match(await max.make('Max plays chess.'), { owner: 'max' })
  await moritz.make('Moritz plays the flute.')
  await remember(service, { agentId, content: 'Games are on Friday.' })
  t.same((await max.list()).sort(), ['Games are on Friday.', 'Max plays chess.'])
  t.same((await moritz.found('plays')).sort(), ['Games are on Friday.', 'Moritz plays the flute.'])
})

t.test('memories go with their agent, those that are just made too, and cannot be found', async (t) => {
  const { id: agentId } = await ada.agent()
  let made = 0
  const make = () => ada.post('/v1/memory', { agentId, content: `Something ${++made}` })
  const first = await make()
  const [deleted, ...late] = await Promise.all([ada.delete(`/v1/agents/${agentId}`), make(), make()])
  t.equal(deleted.status, 200)
  for (const { status } of late) t.ok([201, 404].includes(status), `made before, or not at all: ${status}`)
  await settled()
  t.equal((await ada.get(`/v1/memory/${first.body.data.id}`)).status, 404)
  t.same(await platform.knex('memory.memory').where({ agentId }), [])
})

t.test('an agent has a bounded number of memories', async (t) => {
  const small = await boot(t, 'memory', 'embeddings', { env: { MEMORY_MEMORIES: '1' } })
  const { id: agentId } = await small.as('ada').agent()
  const make = () => small.as('ada').post('/v1/memory', { agentId, content: 'One' })
  t.match(await make(), { status: 201 })
  t.match(await make(), {
    status: 507,
    body: { error: { type: 'insufficient_storage', code: 'memory_full' } }
  })
})

t.test('memories whose entries went while the pack was off are found when it is back', async (t) => {
  const { id: agentId } = await ada.agent()
  const { id } = await remember(ada, { agentId, content: 'The zeppelin lands on Tuesdays.' })
  await loseEntries(booted, 'memory.memory')
  const query = { query: 'zeppelin' }
  t.same(await retrieve(ada, agentId, query), [])
  await refill(booted)
  t.match(await retrieve(ada, agentId, query), [{ id }])
})
