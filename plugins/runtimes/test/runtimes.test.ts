// budget: 30 s, because runtimes are programs in computers that really start
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noComputers } from '../../../test/computers.ts'
import { until } from '../../../test/packs/stage.ts'
import { became, deployed, of, say, withRuntime } from './testbed.ts'

const skip = await noComputers()
const booted = await boot(t, 'runtimes', 'toolbox')
const { as, platform, settled } = booted
const ada = as('ada')
const eve = as('eve')

t.test('a runtime is nobody else’s, and what is asked for is checked', async (t) => {
  const { id } = await ada.agent()
  t.match((await ada.get(of(id))).body.data, {
    id: null,
    version: 0,
    deployment: 0,
    status: { desired: 'off' }
  })
  const rows: [string, string, object?][] = [
    ['GET', ''],
    ['PUT', '', {}],
    ['POST', '/deploy'],
    ['POST', '/sleep'],
    ['POST', '/restart']
  ]
  for (const [method, path, body] of rows) {
    const options = body
      ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {}
    t.equal((await eve.request(method, of(id, path), options)).status, 403, `${method} ${path}`)
    t.equal((await eve.request(method, of('agent_nope', path), options)).status, 404, `${method} ${path}`)
  }
  const wrong: [object, string][] = [
    [{ command: [] }, '/command'],
    [{ command: 'node' }, '/command'],
    [{ image: 'node:24' }, '/image'],
    [{ provider: 'cray' }, '/provider'],
    [{ env: { AGENT_PLATFORM_TOKEN: 'x' } }, '/env/AGENT_PLATFORM_TOKEN'],
    [{ secrets: { 'a b': 'x' } }, '/secrets/a b'],
    [{ minInstances: 2 }, '/minInstances'],
    [{ idleSeconds: 1 }, '/idleSeconds'],
    [{ colour: 'red' }, '/colour']
  ]
  for (const [body, param] of wrong)
    t.match(await ada.put(of(id), body), { status: 400, body: { error: { param } } }, JSON.stringify(body))
  for (const path of ['/deploy', '/sleep', '/restart'])
    t.match(
      await ada.post(of(id, path)),
      { status: 409, body: { error: { code: /not_(configured|deployed)/ } } },
      path
    )

  const secrets = { TOKEN: 'pomegranate', OTHER: 'quince' }
  const { body, headers } = await ada.put(of(id), { command: ['true'], secrets })
  t.match(body.data, { secretNames: ['OTHER', 'TOKEN'], version: 1 })
  t.equal(headers.get('etag'), '"1"')
  t.notMatch(JSON.stringify(body), /pomegranate/, 'a secret is never shown')
  t.notMatch(
    JSON.stringify(await platform.knex('runtimes.runtime').where({ agentId: id })),
    /pomegranate|quince/
  )
  t.match((await ada.put(of(id), { secrets: { OTHER: null } })).body.data, {
    secretNames: ['TOKEN'],
    version: 2
  })
  t.match((await ada.put(of(id), body.data)).body.data, { version: 2 }, 'what was read may be sent back')
  t.match(await ada.put(of(id), { env: { TOKEN: 'x' } }), {
    status: 400,
    body: { error: { param: '/env/TOKEN' } }
  })
  const stale = { 'if-match': '"1"' }
  t.equal((await ada.put(of(id), { cwd: 'x' }, stale)).status, 412)
})

t.test('an agent runs by its runtime, with its tools, and sleeps and wakes', { skip }, async (t) => {
  const agent = await withRuntime(ada, { env: { GREETING: 'Heard' }, secrets: { KEY: 'pomegranate' } })
  const runtime = await deployed(ada, agent.id)
  t.match(runtime, {
    deployment: 1,
    status: { desired: 'awake', observed: 'awake', capabilities: ['text', 'tools'], reason: null }
  })
  const first = await say(ada, agent.id, 'one')
  t.match(first, { status: 200, body: { data: { status: 'completed', content: 'Heard: one' } } })
  const { id: runId, sessionId, usage } = first.body.data
  t.ok(usage.inputTokens > 0, 'usage is what the runtime says')
  const { text } = await ada.get(`/v1/agents/runs/${runId}/stream?after=0`)
  t.match(text, /"type":"token"[\s\S]*"type":"final"/, 'its run is resumed as any other')

  t.equal((await ada.post(of(agent.id, '/sleep'))).body.data.status.observed, 'asleep')
  const { credentials } = await platform.knex('runtimes.process').where({ agentId: agent.id }).first()
  const revoked = await platform
    .knex('kernel.credential')
    .whereIn('id', credentials)
    .whereNotNull('revokedAt')
  t.equal(revoked.length, credentials.length, 'its credentials are revoked')
  const woken = await say(ada, agent.id, 'two', { sessionId })
  t.match(woken.body.data, { status: 'completed', content: 'Heard: two' }, 'the next message wakes it')

  const called = await say(ada, agent.id, '/call nothing {}', { sessionId })
  t.match(called.body.data, { status: 'completed', content: /There is no tool nothing/ })
  const failed = await say(ada, agent.id, '/fail on purpose')
  t.match(failed, { status: 502, body: { error: { code: 'runtime_error', message: /on purpose/ } } })
  const own = await say(ada, agent.id, '/call theirs {"x":1}', { cliTools: [{ name: 'theirs' }] })
  const [pending] = own.body.data.pending
  t.match(pending, { for: 'result', toolName: 'theirs', args: { x: 1 } })
  const result = { runId: own.body.data.id, callId: pending.callId, output: 'a pear' }
  t.equal((await ada.post('/v1/agents/cli-tool-result', result)).status, 200)
  const gone = await until(
    async () => (await ada.get(`/v1/agents/runs/${own.body.data.id}`)).body.data,
    ({ endedAt }) => endedAt !== null
  )
  t.match(gone, { status: 'completed', content: /a pear/ })

  const died = await say(ada, agent.id, '/die')
  t.match(
    died.body.error?.code ?? died.body.data?.status,
    /runtime_(failed|lost)/,
    'one that ends takes no run along in silence'
  )
  const again = await became(ada, agent.id, ({ status }) => status.observed === 'awake')
  t.ok(again.processes.some(({ reason }: { reason: string | null }) => /exited with 3/.test(reason ?? '')))

  await ada.put(of(agent.id), { env: { GREETING: 'Anew' } })
  const before = again.processes[0].id
  await ada.post(of(agent.id, '/deploy'))
  await became(ada, agent.id, ({ deployment }) => deployment === 2)
  t.equal((await say(ada, agent.id, 'three')).body.data.content, 'Anew: three')
  await became(
    ada,
    agent.id,
    ({ processes }) => processes.find(({ id }: { id: string }) => id === before)?.state === 'ended'
  )

  await ada.put(of(agent.id), { command: ['false'] })
  await ada.post(of(agent.id, '/deploy'))
  const kept = await became(ada, agent.id, ({ status }) => /Deployment 3 failed/.test(status.reason ?? ''))
  t.match(kept, { deployment: 2, status: { observed: 'awake' } }, 'what does not start replaces nothing')
  t.equal((await say(ada, agent.id, 'four')).body.data.content, 'Anew: four')

  const slow = ada.post('/v1/agents/run', {
    agentId: agent.id,
    messages: [{ role: 'user', content: `/slowly ${'word '.repeat(500)}` }]
  })
  const { runId: slowly } = await until(
    async () =>
      (
        await platform
          .knex('runtimes.turn')
          .where({ agentId: agent.id, status: 'given' })
          .where('last', '>', 0)
      )[0],
    (turn) => turn !== undefined
  )
  t.match((await ada.post(`/v1/agents/runs/${slowly}/cancel`)).body.data, { status: 'cancelled' })
  t.equal((await slow).status, 409)

  await ada.delete(`/v1/agents/${agent.id}`)
  await settled()
  t.same(await platform.knex('runtimes.process').where({ agentId: agent.id }), [], 'nothing stays of it')
})

t.test('one that ends again and again is started with pauses, and says why', { skip }, async (t) => {
  const agent = await withRuntime(ada, {
    command: ['sh', '-c', 'echo "no pomegranate here" >&2; exit 4'],
    secrets: { KEY: 'pomegranate' }
  })
  await ada.post(of(agent.id, '/deploy'))
  const runtime = await became(
    ada,
    agent.id,
    ({ processes }) => processes.filter(({ state }: { state: string }) => state === 'ended').length >= 3
  )
  t.match(runtime.processes.at(-1), { reason: 'exited with 4: no [secret] here', exitCode: 4 })
  t.match(await say(ada, agent.id, 'hello'), { status: 503, body: { error: { code: 'runtime_failed' } } })
})
