import { newId } from 'agent-platform'
import t from 'tap'
import type { Client, Reply } from '../../../test/client.ts'
import { ANSWER, listen, local, RUN, run, STREAM, saying, stage } from './testbed.ts'

const { booted, ada } = await stage(t)
const { as, anyone } = booted
const agent = await ada.agent(local)
const { id: runId, sessionId } = (await run(ada, agent, 'Hello')).body.data
const base = saying(agent, 'Hello')

const refused = (status: number, param?: string) => ({
  status,
  body: { error: { type: String, message: String, requestId: String, ...(param !== undefined && { param }) } }
})

t.test('what is wrong in the body of a run is named', async (t) => {
  const wrong: [object, string][] = [
    [{ agentId: undefined }, '/agentId'],
    [{ agentId: 5 }, '/agentId'],
    [{ messages: undefined }, '/messages'],
    [{ messages: 'Hello' }, '/messages'],
    [{ messages: [] }, '/messages'],
    [{ messages: [{ role: 'user' }] }, '/messages/0/content'],
    [{ messages: [{ role: 'user', content: 5 }] }, '/messages/0/content'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, '/messages/0/role'],
    [{ messages: [{ role: 'user', content: 'x', name: 'y' }] }, '/messages/0/name'],
    [{ messages: [{ role: 'user', content: 'a\u0000b' }] }, '/messages/0/content'],
    [{ messages: Array(1_001).fill({ role: 'user', content: '' }) }, '/messages'],
    [{ sessionId: 5 }, '/sessionId'],
    [{ sessionId: null }, '/sessionId'],
    [{ multitaskStrategy: 'wait' }, '/multitaskStrategy'],
    [{ attachments: {} }, '/attachments'],
    [{ attachments: [{ id: 'file_1' }] }, '/attachments/0/fileId'],
    [{ provenance: 'full' }, '/provenance'],
    [{ provenance: { mode: 'some' } }, '/provenance/mode'],
    [{ provenance: { onchain: 'yes' } }, '/provenance/onchain'],
    [{ provenance: { chain: 1 } }, '/provenance/chain'],
    [{ computerRequest: {} }, '/computerRequest/enabled'],
    [{ computerRequest: { enabled: 1 } }, '/computerRequest/enabled'],
    [{ cliTools: [{ description: 'x' }] }, '/cliTools/0/name'],
    [{ cliTools: [{ name: 'a b' }] }, '/cliTools/0/name'],
    [{ cliTools: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }, '/cliTools/2/name'],
    [{ cliTools: [{ name: 'a', parameters: [] }] }, '/cliTools/0/parameters'],
    [{ cliTools: [{ name: 'a', execute: 'x' }] }, '/cliTools/0/execute'],
    [{ cliContext: 5 }, '/cliContext'],
    [{ messagess: [] }, '/messagess'],
    [{ stream: true }, '/stream']
  ]
  for (const path of [RUN, STREAM])
    for (const [fields, param] of wrong)
      for (const agentId of [agent.id, newId('agent')])
        t.match(
          await ada.post(path, { ...base, agentId, ...fields }),
          refused(400, param),
          `${path} ${param}`
        )
  for (const path of [RUN, STREAM, ANSWER])
    for (const body of [undefined, 'Hello', [], null])
      t.match(await ada.post(path, body), refused(400, ''), `${path} ${JSON.stringify(body)}`)
})

t.test('tools of the caller are checked as all tools are', async (t) => {
  const wrong: [object, string][] = [
    [{ type: 'nonsense' }, '/cliTools/1/parameters/type'],
    [{ type: 'string' }, '/cliTools/1/parameters/type'],
    [{}, '/cliTools/1/parameters/type'],
    [{ type: 'object', properties: { a: { type: 'nonsense' } } }, '/cliTools/1/parameters/properties/a/type'],
    [{ type: 'object', description: 'x'.repeat(70_000) }, '/cliTools/1/parameters']
  ]
  for (const path of [RUN, STREAM])
    for (const [parameters, param] of wrong) {
      const cliTools = [
        { name: 'a', parameters: { type: 'object' } },
        { name: 'b', parameters }
      ]
      t.match(await ada.post(path, { ...base, agentId: agent.id, cliTools }), refused(400, param))
    }
})

t.test('ids in the body of a run are looked at', async (t) => {
  const other = await ada.agent(local)
  const eve = as('eve')
  const hers = await eve.agent(local)
  const theirs = (await run(eve, hers, 'Hello')).body.data.sessionId
  const wrong: [object, number, string][] = [
    [{ agentId: newId('agent') }, 404, '/agentId'],
    [{ agentId: 'nonsense' }, 404, '/agentId'],
    [{ agentId: hers.id }, 403, '/agentId'],
    [{ sessionId: newId('session') }, 404, '/sessionId'],
    [{ sessionId: 'nonsense' }, 404, '/sessionId'],
    [{ sessionId: theirs }, 403, '/sessionId'],
    [{ sessionId, agentId: other.id }, 400, '/sessionId']
  ]
  for (const path of [RUN, STREAM])
    for (const [fields, status, param] of wrong) {
      const reply = await ada.post(path, { ...base, ...fields })
      t.match(reply, refused(status, param), `${path} ${status} ${param}`)
      t.equal(reply.headers.get('x-run-id'), null)
    }
})

t.test('what is wrong in an answer, and where a stream is to go on, is named', async (t) => {
  const answers: [object, string][] = [
    [{ callId: 'x', output: 1 }, '/runId'],
    [{ runId, output: 1 }, '/callId'],
    [{ runId, callId: 'x' }, '/output'],
    [{ runId, callId: 'x', output: 1, isError: 'no' }, '/isError'],
    [{ runId, callId: 'x', output: 1, error: true }, '/error']
  ]
  for (const [body, param] of answers) t.match(await ada.post(ANSWER, body), refused(400, param), param)
  const stream = `/v1/agents/runs/${runId}/stream`
  for (const [body, param] of [
    [{ after: '1' }, '/after'],
    [{ after: -2 }, '/after'],
    [{ after: 1.5 }, '/after'],
    [{ before: 1 }, '/before']
  ] as const)
    t.match(await ada.post(stream, body), refused(400, param), param)
  t.match(await ada.post(stream, { after: 999 }), { status: 400, body: { error: { param: /after/ } } })
  for (const [query, param] of [
    ['after=x', 'after'],
    ['after=-2', 'after'],
    ['after=999', 'after'],
    ['before=1', 'before']
  ] as const) {
    t.match(await ada.get(`${stream}?${query}`), refused(400, param), query)
    t.match(await ada.post(`${stream}?${query}`), refused(400, param), query)
  }
  for (const id of ['x', '999'])
    t.match(await ada.get(stream, { 'last-event-id': id }), refused(400, 'last-event-id'), id)
  t.match(await ada.post(RUN, base, { 'idempotency-key': 'ä' }), refused(400, 'idempotency-key'))
})

t.test('runs are their owner’s', async (t) => {
  const stream = `/v1/agents/runs/${runId}/stream`
  const asks: [string, (who: Client, id: string) => Promise<Reply>][] = [
    ['read', (who, id) => who.get(`/v1/agents/runs/${id}`)],
    ['cancel', (who, id) => who.post(`/v1/agents/runs/${id}/cancel`)],
    ['follow', (who, id) => who.get(`/v1/agents/runs/${id}/stream`)],
    ['resume', (who, id) => who.post(`/v1/agents/runs/${id}/stream`, { after: 0 })]
  ]
  const strangers = [
    as('eve'),
    as('ada', { project: 'other' }),
    as('bot', { type: 'service', project: 'other' })
  ]
  for (const [name, ask] of asks) {
    for (const who of strangers) t.match(await ask(who, runId), refused(403), name)
    t.match(await ask(anyone, runId), refused(401), name)
    for (const id of [newId('run'), newId('agent'), 'nonsense'])
      t.match(await ask(ada, id), refused(404), name)
  }
  const answer = { runId, callId: newId('call'), output: 1 }
  for (const who of strangers) t.match(await who.post(ANSWER, answer), refused(403, '/runId'))
  t.match(await ada.post(ANSWER, { ...answer, runId: newId('run') }), refused(404, '/runId'))
  t.match(await ada.post(ANSWER, answer), refused(404, '/callId'))
  for (const path of [RUN, STREAM]) t.match(await anyone.post(path, base), refused(401))
  t.match(await anyone.post(ANSWER, answer), refused(401))
  t.match(await anyone.post(stream), refused(401))
})

t.test('scopes open what they say', async (t) => {
  const runner = as('ada', { scopes: ['agents:run'] })
  const reader = as('ada', { scopes: ['agents:read'] })
  const writer = as('ada', { scopes: ['agents:write'] })
  const { id: runId } = (await run(runner, agent, 'Hello')).body.data
  const own = `/v1/agents/runs/${runId}`
  t.match(await runner.get(own), { status: 200 })
  t.match(await runner.get(`${own}/stream`), { status: 200 })
  t.match(await runner.post(`${own}/stream`), { status: 200 })
  t.match(await runner.post(`${own}/cancel`), { status: 409 })
  t.match(await runner.post(ANSWER, { runId, callId: newId('call'), output: 1 }), { status: 404 })
  for (const who of [reader, writer]) {
    t.match(await run(who, agent, 'Hello'), refused(403))
    t.match(await who.post(STREAM, base), refused(403))
  }
  t.match(await reader.get(own), { status: 200 })
  t.match(await reader.get(`${own}/stream`), { status: 200 })
  t.match(await reader.post(`${own}/cancel`), refused(403))
  t.match(await writer.post(`${own}/stream`), { status: 200 })
})

t.test('a run that was refused leaves nothing behind', async (t) => {
  const fresh = await ada.agent(local)
  await ada.post(RUN, saying(fresh, 'Hello', { cliTools: [{ name: 'a' }, { name: 'a' }] }))
  t.same((await ada.get(`/v1/sessions/agent/${fresh.id}`)).body.data, [])
  const stream = await listen(booted, ada, STREAM, saying(fresh, 'Hello', { cliContext: 5 }))
  t.equal(stream.status, 400)
  stream.close()
})
