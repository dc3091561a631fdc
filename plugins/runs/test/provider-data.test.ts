import t from 'tap'
import type { ModelRequest } from '../../../test/model-server.ts'
import { askedLast, local, puppetStage, run, runOnce, scripted, tool } from './testbed.ts'

const SECRET = 'c2lnbmF0dXJl'

interface Message {
  readonly role: string
  readonly content?: unknown
  readonly reasoning?: string
  readonly reasoning_details?: readonly object[]
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly extra_content?: object
    readonly function: { readonly name: string }
  }[]
}
const messagesOf = ({ body }: ModelRequest) => body.messages as unknown as Message[]

/** What the model says next: the deltas of each reply, in turn, then only a text. */
let script: object[][] = []
const { booted, server, ada, play } = await puppetStage(t, {
  respond(_, response) {
    const deltas = script.shift() ?? [{ content: 'Done' }]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const choice of [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'stop' }])
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    response.end('data: [DONE]\n\n')
  }
})
const look = tool('look', async () => ({ output: 'blue' }), { idempotent: true })
play.tools = () => [look]

const call = (id: string, fields: object = {}, name = 'look') => ({
  tool_calls: [{ index: 0, id, type: 'function', ...fields, function: { name, arguments: '{}' } }]
})
const signed = { extra_content: { google: { thought_signature: SECRET } } }
const details = [{ type: 'reasoning.encrypted', data: SECRET }]
/** The calls of the last prompt, and the IDs that results answer. */
const callsTold = () =>
  (askedLast(server).messages as unknown as Message[]).flatMap((it) => it.tool_calls ?? [])
const resultsTold = () =>
  (askedLast(server).messages as unknown as Message[]).flatMap((it) => it.tool_call_id ?? [])
const last = () => messagesOf(server.requests.at(-1) as ModelRequest).filter(({ role }) => role !== 'system')

t.test('returns provider data to its model within a run and in later runs of the session', async (t) => {
  const agent = await ada.agent(scripted())
  script = [
    [{ reasoning: 'The tool', reasoning_details: details }, { content: '\n\n' }, call('D681PevKs', signed)],
    [{ reasoning: 'Blue it is', reasoning_details: details }, { content: 'Blue' }]
  ]
  const first = (await run(ada, agent, 'Look')).body.data
  t.match(callsTold(), [{ id: 'D681PevKs', ...signed }])
  t.same(resultsTold(), ['D681PevKs'])
  t.match(last()[1], { reasoning_details: details, content: null }, 'and no text without a letter')

  await run(ada, agent, 'And now?', { sessionId: first.sessionId })
  t.match(callsTold(), [{ id: 'D681PevKs', ...signed }])
  t.same(resultsTold(), ['D681PevKs'])
  t.same(
    last().map(({ reasoning_details = null }) => reasoning_details),
    [null, details, null, details, null]
  )

  for (const path of [
    `/v1/agents/runs/${first.id}`,
    `/v1/sessions/${first.sessionId}/full`,
    `/v1/agents/sessions/${first.sessionId}/chat`,
    `/v1/agents/runs/${first.id}/stream`
  ]) {
    const { status, text } = await ada.get(path)
    t.equal(status, 200, path)
    t.notOk(text.includes(SECRET) || text.includes('D681PevKs'), path)
  }
  const { data } = await records(first.id)
  t.match(data.replies, [{ step: 1, parts: [{ type: 'reasoning', text: 'The tool' }, { toolName: 'look' }] }])
  t.notOk(JSON.stringify(data.replies).includes(SECRET), 'nor in the records that packs read')
})

/** As packs read it. */
async function records(runId: string) {
  const { deps } = booted.platform.server.current().packs.get('runs') as unknown as { deps: Deps }
  const { rows } = await booted.platform.knex.raw('select project from runs.run where id = ?', [runId])
  const [data] = await booted.platform.knex.transaction((trx) =>
    deps.recordStore.list(trx, rows[0].project, [runId])
  )
  return { data: data as { replies: object[] } }
}
interface Deps {
  readonly recordStore: { list(trx: unknown, project: string, ids: readonly string[]): Promise<object[]> }
}

t.test('sends no provider data to another model, and IDs that every provider accepts', async (t) => {
  const agent = await ada.agent(scripted())
  script = [[{ reasoning: 'The tool', reasoning_details: details }, call('functions.look:0', signed)]]
  const { sessionId } = (await run(ada, agent, 'Look')).body.data
  await ada.put(`/v1/agents/${agent.id}`, scripted('other'))
  await run(ada, agent, 'And now?', { sessionId })
  t.equal(askedLast(server).model, 'mock?other')
  const [made] = callsTold()
  t.match(made?.id, /^[A-Za-z0-9]{9}$/)
  t.same(resultsTold(), [made?.id])
  t.notMatch(JSON.stringify(last()), new RegExp(`${SECRET}|functions|The tool`))

  await ada.put(`/v1/agents/${agent.id}`, scripted('other'))
  await run(ada, agent, 'And then?', { sessionId })
  t.equal(callsTold()[0]?.id, made?.id, 'the same ones each time')
  await ada.put(`/v1/agents/${agent.id}`, scripted())
  await run(ada, agent, 'And again?', { sessionId })
  t.match(callsTold(), [{ id: 'functions.look:0', ...signed }], 'and the first one gets it again')
})

t.test('treats a dated model name as the same model', async (t) => {
  const agent = await ada.agent({ modelProvider: 'openai-compatible', modelId: 'some-model-2026-01-31' })
  script = [[call('a-1', signed)]]
  const { sessionId } = (await run(ada, agent, 'Look')).body.data
  await ada.put(`/v1/agents/${agent.id}`, { modelId: 'some-model' })
  await run(ada, agent, 'And now?', { sessionId })
  t.match(callsTold(), [{ id: 'a-1', ...signed }])
})

t.test('drops provider data when a run changes its model between steps', async (t) => {
  const agent = await ada.agent(scripted())
  script = [[{ reasoning: 'Wait' }, call('a-1', signed, 'dig')]]
  const cliTools = [{ name: 'dig' }]
  const { id: runId, pending } = (await run(ada, agent, 'Dig', { cliTools })).body.data
  await ada.put(`/v1/agents/${agent.id}`, scripted('other'))
  await ada.post('/v1/agents/cli-tool-result', { runId, callId: pending[0].callId, output: 'dug' })
  await runOnce(ada, runId, ({ body }) => body.data.status === 'completed')
  t.equal(askedLast(server).model, 'mock?other')
  t.notMatch(JSON.stringify(last()), new RegExp(`${SECRET}|a-1|Wait`))
  t.same(
    resultsTold(),
    callsTold().map(({ id }) => id)
  )
})

t.test('keeps provider data in the record of a waiting run', async (t) => {
  const agent = await ada.agent(scripted())
  script = [[{ reasoning: 'Wait', reasoning_details: details }, call('a-1', signed, 'dig')]]
  const { id: runId, pending } = (await run(ada, agent, 'Dig', { cliTools: [{ name: 'dig' }] })).body.data
  await ada.post('/v1/agents/cli-tool-result', { runId, callId: pending[0].callId, output: 'dug' })
  await runOnce(ada, runId, ({ body }) => body.data.status === 'completed')
  t.match(callsTold(), [{ id: 'a-1', ...signed }])
  t.match(last()[1], { reasoning_details: details })
})

t.test('keeps long tool call IDs, and makes duplicates unique', async (t) => {
  const agent = await ada.agent(scripted())
  const long = `call_${'s'.repeat(4_567)}`
  script = [[call(long)], [call('call_0')], [call('call_0')]]
  const { sessionId } = (await run(ada, agent, 'Look')).body.data
  for (const _ of [1, 2]) {
    const ids = callsTold().map(({ id }) => id)
    t.equal(ids[0], long)
    t.equal(ids[1], 'call_0')
    t.equal(new Set(ids).size, 3)
    t.same(resultsTold(), ids)
    await run(ada, agent, 'And now?', { sessionId })
  }
})

t.test('sends a tool call with an unknown name under a name that providers accept', async (t) => {
  const agent = await ada.agent(scripted())
  script = [[call('a', {}, 'browser.tabs.open')]]
  const { sessionId } = (await run(ada, agent, 'Open')).body.data
  t.match(callsTold(), [{ function: { name: 'browser_tabs_open' } }])
  await run(ada, agent, 'And now?', { sessionId })
  t.match(callsTold(), [{ function: { name: 'browser_tabs_open' } }])
})

t.test('stores no provider data for a model that returns none', async (t) => {
  const agent = await ada.agent(local)
  const { sessionId } = (await run(ada, agent, '/think Well\n/say Hello')).body.data
  const { rows } = await booted.platform.knex.raw(
    'select reply from sessions.message where "sessionId" = ?',
    [sessionId]
  )
  t.same(rows, [{ reply: null }, { reply: null }])
})
