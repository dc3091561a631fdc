// budget: 25 s, because runtimes are programs in computers that really start
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { noComputers } from '../../../test/computers.ts'
import { until } from '../../../test/packs/stage.ts'
import { deployed, of, say, withRuntime } from './testbed.ts'

const skip = await noComputers()
const booted = await boot(t, 'runtimes', 'tools', { env: { RUN_IDLE_SECONDS: '8' } })
const { as, platform, url } = booted
const ada = as('ada')

/** A program that gets turns and leaves what is done about them to the test, which has its credential. */
const mute = `
const { AGENT_PLATFORM_URL: url, AGENT_PLATFORM_TOKEN: token, AGENT_PLATFORM_AGENT: agent, AGENT_PLATFORM_PROCESS: process_ } = process.env
console.log(token)
const base = url + '/v1/runtime/agents/' + agent
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
for (const path of ['/v1/agents', '/health', '/v1/runtime/../agents', '/console'])
  console.log(path, (await fetch(url + path, { headers })).status)
await fetch(base + '/processes/' + process_ + '/beat', { method: 'POST', headers, body: '{}' })
setInterval(() => undefined, 1000)
`
const line = (event: object) => `${JSON.stringify(event)}\n`

t.test('a runtime that lies costs its own runs alone', { skip }, async (t) => {
  const agent = await withRuntime(ada, {}, mute)
  const other = await ada.agent({ modelProvider: 'local' })
  const { processes } = await deployed(ada, agent.id)
  const [{ id: processId, output }] = processes
  const [token = '', ...reached] = output.trim().split('\n')
  t.same(
    reached,
    ['/v1/agents 403', '/health 403', '/v1/runtime/../agents 403', '/console 403'],
    'no other way leads in'
  )
  const liar = createClient(url, agent.id, token)
  const at = (rest: string, agentId = agent.id) => `/v1/runtime/agents/${agentId}${rest}`
  const post = (turnId: string, body: string, agentId?: string) =>
    liar.request('POST', at(`/turns/${turnId}/events`, agentId), {
      body,
      headers: { 'content-type': 'application/x-ndjson' }
    })

  for (const path of [
    '/v1/agents',
    `/v1/agents/${agent.id}`,
    '/v1/agents/sessions',
    `/v1/agents/${agent.id}/runtime`
  ])
    t.equal((await liar.get(path)).status, 403, `${path} is not for its credential`)
  t.equal((await liar.get(at('/tools'))).status, 200)
  t.equal((await liar.get(at('/tools', other.id))).status, 403)
  t.equal(
    (await ada.post(at(`/processes/${processId}/beat`), {})).status,
    403,
    'nor does its owner speak for it'
  )
  t.equal((await liar.post(at(`/processes/${processId}/beat`, other.id), {})).status, 403)
  t.equal((await liar.post(at('/processes/process_nope/beat'), {})).status, 404)
  t.match(await liar.post(at(`/processes/${processId}/beat`), { colour: 1 }), {
    status: 400,
    body: { error: { param: '/colour' } }
  })
  t.equal((await liar.get(at('/processes/process_nope/events'))).status, 404)

  const ask = async () => {
    const run = say(ada, agent.id, 'hello')
    const turn = await until(
      async () => platform.knex('runtimes.turn').where({ agentId: agent.id, status: 'given' }).first(),
      (row) => row !== undefined
    )
    return { run, id: turn.id as string }
  }
  const second = await withRuntime(as('eve'), {}, mute)
  await deployed(as('eve'), second.id)
  const theirs = say(as('eve'), second.id, 'hello')
  const foreign = await until(
    async () => platform.knex('runtimes.turn').where({ agentId: second.id, status: 'given' }).first(),
    (row) => row !== undefined
  )
  t.equal((await post(foreign.id, line({ type: 'end', seq: 0 }))).status, 404, 'a turn of another agent')
  t.equal((await post(foreign.id, line({ type: 'end', seq: 0 }), second.id)).status, 403)
  t.equal((await post('turn_nope', '')).status, 404)

  const bad: [string, string, string][] = [
    ['no JSON', 'pear\n', 'runtime_misbehaved'],
    ['no event', line({ type: 'sing', seq: 0 }), 'runtime_misbehaved'],
    ['a huge frame', line({ type: 'token', seq: 0, content: 'x'.repeat(300_000) }), 'event_too_large'],
    [
      'a deep one',
      `{"type":"call","seq":0,"callId":"a","toolName":"b","args":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`,
      'runtime_misbehaved'
    ],
    ['an error', line({ type: 'error', seq: 0, message: 'no idea' }), 'runtime_error']
  ]
  for (const [what, body, code] of bad) {
    const { run, id } = await ask()
    await post(id, body)
    t.match(await run, { status: 502, body: { error: { code } } }, what)
    t.match(await post(id, line({ type: 'end', seq: 0 })), {
      status: 409,
      body: { error: { code: 'turn_over' } }
    })
  }

  const gap = await ask()
  t.match(await post(gap.id, line({ type: 'end', seq: 3 })), {
    status: 409,
    body: { error: { code: 'events_missing' } }
  })
  const body =
    line({ type: 'token', seq: 0, content: 'pear' }) + line({ type: 'token', seq: 1, content: ' tree' })
  t.match((await post(gap.id, body)).body.data, { last: 1, status: 'given' })
  t.match((await post(gap.id, body)).body.data, { last: 1 }, 'what is known is passed over')
  t.match((await post(gap.id, body + line({ type: 'end', seq: 2 }))).body.data, {
    last: 2,
    status: 'completed'
  })
  t.match((await gap.run).body.data, { status: 'completed', content: 'pear tree' })

  const silent = await ask()
  t.match(
    await silent.run,
    { status: 504, body: { error: { code: 'model_timeout' } } },
    'one that never answers'
  )
  theirs.catch(() => undefined)
  await as('eve').post(of(second.id, '/sleep'))
  await ada.post(of(agent.id, '/sleep'))
  t.equal((await liar.get(at('/tools'))).status, 401, 'its credential is revoked')
})
