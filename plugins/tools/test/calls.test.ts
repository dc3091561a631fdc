import { newId } from 'agent-platform'
import t from 'tap'
import type { Call } from '../contract.ts'
import { assign, puppetStage } from './testbed.ts'

const CALL = '/v1/agents/tools'
const { booted, ada, play } = await puppetStage(t, {
  env: { TOOL_SECONDS: '3', TOOL_OUTPUT_CHARACTERS: '100', TOOL_OUTPUT_KEPT: '1000' }
})
const eve = booted.as('eve')
const agent = await ada.agent()
const assigned = { act: await assign(ada, agent, 'act'), ask: await assign(ada, agent, 'ask') }
const order = (toolName: string, args?: unknown) => ({
  agentId: agent.id,
  toolName,
  ...(args !== undefined && { args })
})
const recordOf = async (callId: string) => (await ada.get(`/v1/tools/calls/${callId}`)).body.data
const set = (policy: string) => ada.patch(`/v1/agents/tools/${assigned.act.id}`, { policy })

t.test('one call, by its caller and by a runtime, and its record', async (t) => {
  const calls: Call[] = []
  play.act = async (call) => {
    calls.push(call)
    call.progress('nobody hears it')
    return { output: { n: call.args.n, asked: await call.ask({ message: 'Sure?', schema: {} }) } }
  }
  const { status, body } = await ada.post(CALL, order('act', { n: 5 }))
  const { callId, ...outcome } = body.data
  t.equal(status, 200)
  t.same(outcome, { output: { n: 5, asked: { action: 'decline' } }, isError: false })
  t.match(calls[0], { id: callId, agentId: agent.id, by: { id: 'ada' }, depth: 0, run: undefined })
  t.match(await recordOf(callId), {
    owner: 'ada',
    agentId: agent.id,
    runId: null,
    toolId: 'act',
    toolName: 'act',
    kind: 'static',
    actor: { id: 'ada', type: 'user' },
    grants: { principal: { reason: 'static' }, agent: { reason: 'static' } },
    keyIds: [],
    approved: false,
    status: 'succeeded',
    size: JSON.stringify(outcome.output).length,
    milliseconds: Number,
    endedAt: String
  })
  const runtime = booted.as(agent.id, { type: 'agent' })
  const path = `/v1/runtime/agents/${agent.id}/tools`
  t.match((await runtime.get(path)).body, {
    data: [{ name: 'act' }, { name: 'ask', policy: 'allow', idempotent: true }]
  })
  t.match(await runtime.post(`${path}/invoke`, { toolName: 'act', args: { n: 6 } }), {
    status: 200,
    body: { data: { output: { n: 6 }, isError: false } }
  })
  const list = `/v1/tools/calls?agentId=${agent.id}&limit=1`
  const first = (await ada.get(list)).body
  t.match(first.data, [{ actor: { id: agent.id, type: 'agent' } }])
  t.match((await ada.get(`${list}&cursor=${first.nextCursor}`)).body, {
    data: [{ id: callId }],
    nextCursor: null
  })
})

t.test('who may, and what is refused', async (t) => {
  play.act = async () => ({ output: 'done' })
  const { callId } = (await ada.post(CALL, order('act'))).body.data
  t.match(await eve.post(CALL, order('act')), { status: 403, body: { error: { param: '/agentId' } } })
  t.match(await ada.post(CALL, { ...order('act'), agentId: newId('agent') }), {
    status: 404,
    body: { error: { param: '/agentId' } }
  })
  t.match(await ada.post(CALL, order('nothing')), { status: 404, body: { error: { param: '/toolName' } } })
  t.match(await ada.post(CALL, order('act', { n: 'five' })), {
    status: 400,
    body: { error: { param: '/args', message: /n/ } }
  })
  t.match(await ada.post(CALL, order('act', [])), { status: 400, body: { error: { param: '/args' } } })
  t.match(await ada.post(CALL, { ...order('act'), more: 1 }), {
    status: 400,
    body: { error: { param: '/more' } }
  })
  t.match(await booted.anyone.post(CALL, order('act')), { status: 401 })
  const path = `/v1/runtime/agents/${agent.id}/tools`
  t.match(await eve.get(path), { status: 403 })
  t.match(await eve.post(`${path}/invoke`, { toolName: 'act' }), { status: 403 })
  t.match(await ada.get(`/v1/runtime/agents/${newId('agent')}/tools`), { status: 404 })
  t.match(await ada.post(`/v1/runtime/agents/${newId('agent')}/tools/invoke`, { toolName: 'act' }), {
    status: 404
  })
  t.match(await ada.post(`${path}/invoke`, {}), { status: 400, body: { error: { param: '/toolName' } } })
  for (const place of ['', '/output']) {
    t.match(await eve.get(`/v1/tools/calls/${callId}${place}`), { status: 403 })
    t.match(await ada.get(`/v1/tools/calls/${newId('call')}${place}`), { status: 404 })
  }
  t.match(await ada.get(`/v1/tools/calls/${callId}/output`), { status: 404 }, 'its caller was given all')
  t.match(await eve.get(`/v1/tools/calls?agentId=${agent.id}`), { status: 403 })
  t.match((await eve.get('/v1/tools/calls')).body, { data: [] })
  const { toolId } = await recordOf(callId)
  const ofTool = `/v1/tools/calls?toolId=${toolId}`
  t.match((await ada.get(`${ofTool}&limit=1`)).body.data, [{ id: callId }])
  t.ok(
    (await ada.get(ofTool)).body.data.every((call: { toolName: string }) => call.toolName === 'act'),
    'those of one tool alone'
  )
  t.match((await eve.get(ofTool)).body, { data: [] })
  t.match((await ada.get(`/v1/tools/calls?toolId=${newId('tool')}`)).body, { data: [] })
  t.match(await ada.get('/v1/tools/calls?limit=0'), { status: 400, body: { error: { param: 'limit' } } })
  t.match(await ada.get(`/v1/tools/calls/${callId}/output?offset=-1`), { status: 400 })
})

t.test('policies hold at each call', async (t) => {
  let calls = 0
  play.act = async () => ({ output: ++calls })
  t.match(await set('ask'), { status: 200 })
  t.match(await ada.post(CALL, order('act')), { status: 403, body: { error: { code: 'approval_required' } } })
  t.match(await set('deny'), { status: 200 })
  t.match(await ada.post(CALL, order('act')), { status: 403, body: { error: { code: 'tool_denied' } } })
  const offered = await ada.get(`/v1/runtime/agents/${agent.id}/tools`)
  t.match(offered.body.data, [{ name: 'ask' }])
  t.equal(offered.body.data.length, 1)
  t.match(await set('allow'), { status: 200 })
  t.match(await ada.post(CALL, order('act')), { status: 200 })
  await ada.patch(`/v1/agents/tools/${assigned.act.id}`, { enabled: false })
  t.match(await ada.post(CALL, order('act')), { status: 404 })
  await ada.patch(`/v1/agents/tools/${assigned.act.id}`, { enabled: true })
  play.admit = async ({ toolName }) => {
    throw Object.assign(new Error(`No money for ${toolName}`), { kind: 'paymentRequired' })
  }
  t.match(await ada.post(CALL, order('act')), {
    status: 402,
    body: { error: { message: 'No money for act' } }
  })
  delete play.admit
  t.equal(calls, 1)
})

t.test('what goes wrong is told as an output, and nothing that was not meant to be told', async (t) => {
  const meant = Object.assign(new Error('The shop is closed'), { kind: 'upstream' })
  let tries = 0
  const failing = (error: Error) => async () => {
    tries++
    throw error
  }
  play.ask = failing(meant)
  const outcome = async (name: string) => (await ada.post(CALL, order(name))).body.data
  t.match(await outcome('ask'), { output: 'The shop is closed', isError: true })
  t.equal(tries, 3, 'an idempotent tool is tried again')
  tries = 0
  play.act = failing(meant)
  const { callId } = await outcome('act')
  t.equal(tries, 1, 'another one is not')
  t.match(await recordOf(callId), { status: 'unknown' })
  play.act = failing(new Error('password is hunter2'))
  t.match(await outcome('act'), { output: 'act failed', isError: true })
  const given = Promise.withResolvers<AbortSignal>()
  play.act = ({ signal }) => {
    given.resolve(signal)
    return new Promise(() => undefined)
  }
  t.match(await outcome('act'), {
    output: 'act took more than 3 s: the outcome of the call is unknown',
    isError: true
  })
  t.ok((await given.promise).aborted)
})

t.test(
  'a program gets the whole output up to a limit, and a failure beyond; as much is stored',
  async (t) => {
    play.act = async ({ args: { n } }) => ({ output: 'ab'.repeat(Number(n)) })
    const { callId, output, isError } = (await ada.post(CALL, order('act', { n: 200 }))).body.data
    t.same({ output, isError }, { output: 'ab'.repeat(200), isError: false }, 'a program gets the whole')
    t.match(await recordOf(callId), { size: 400 })
    const path = `/v1/tools/calls/${callId}/output`
    t.same((await ada.get(path)).body.data, { text: 'ab'.repeat(200), offset: 0, total: 400 })
    t.same((await ada.get(`${path}?offset=399&limit=5`)).body.data, { text: 'b', offset: 399, total: 400 })
    const huge = (await ada.post(CALL, order('act', { n: 5_000 }))).body.data
    t.match(huge, {
      isError: true,
      output: /its output of 10000 characters is too large: at most 1000 .*TOOL_OUTPUT_KEPT/
    })
    t.match((await ada.get(`/v1/tools/calls/${huge.callId}/output`)).body.data, { total: 1_000 })
    for (const [output, wanted] of [
      [undefined, null],
      ['\0nul\ud800', 'nul\ufffd'],
      [{ deep: ['\0'] }, { deep: [''] }],
      [1n, null],
      ['short', 'short']
    ]) {
      play.act = async () => ({ output })
      t.same((await ada.post(CALL, order('act'))).body.data.output, wanted)
    }
  }
)

t.test('every call leaves a fact without a word of it', async (t) => {
  play.act = async () => ({ output: 'very secret words' })
  const { callId } = (await ada.post(CALL, order('act', { n: 77_777 }))).body.data
  const [fact] = await booted.platform
    .knex('kernel.fact')
    .where({ name: 'tools.called' })
    .orderBy('id', 'desc')
    .limit(1)
  t.match(fact.data, { callId, toolId: 'act', agentId: agent.id, isError: false, size: 17 })
  t.notMatch(JSON.stringify(fact), /secret words|77777/)
})
