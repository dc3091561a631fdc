// What the protocol's compatibility kit holds every agent to (its MUST requirements for JSON-RPC), by its own names.
import t from 'tap'
import { call, local, published, saying, scripted, stage } from './testbed.ts'

const { booted, ada, eve } = await stage(t, { packs: ['files', 'extraction', 'storage'] })
const agent = await published(ada, local)
let messages = 0
const message = (text: string, fields: object = {}) => ({
  message: { messageId: `m-${text}-${++messages}`, role: 'ROLE_USER', parts: [{ text }], ...fields }
})
const ask = (method: string, params: object = {}, headers = {}) => call(ada, agent, method, params, headers)

t.test('CORE-SEND, CORE-EXECUTION-MODE: a task or a message, at once or when it has ended', async (t) => {
  const { task } = (await ask('SendMessage', message('Hello'))).result
  t.match(task, { id: String, contextId: String, status: { state: 'TASK_STATE_COMPLETED' } })
  t.match((await ask('SendMessage', message('More', { taskId: task.id }))).error, { code: -32004 })
  t.match((await ask('SendMessage', message('x', { parts: [{ unheard: 1 }] }))).error, { code: -32005 })
  const slow = await published(ada, scripted('endless=1&delay=20'))
  const now = { ...message('Go'), configuration: { returnImmediately: true } }
  const begun = (await call(ada, slow, 'SendMessage', now)).result.task
  t.match(begun.status.state, /SUBMITTED|WORKING/)
  t.match((await call(ada, slow, 'CancelTask', { id: begun.id })).result, {
    id: begun.id,
    status: { state: 'TASK_STATE_CANCELED' }
  })
  t.match((await call(ada, slow, 'CancelTask', { id: begun.id })).error, { code: -32002 }, 'CORE-CANCEL-002')
})

t.test('CORE-STREAM: the task first, the end last', async (t) => {
  const { frames } = await ask('SendStreamingMessage', message('Hello'))
  t.match(frames[0].result.task, { id: String })
  t.match(frames.at(-1).result.statusUpdate.status, { state: 'TASK_STATE_COMPLETED' })
  for (const { result } of frames) t.equal(Object.keys(result).length, 1, 'one thing a frame')
  const { id } = frames[0].result.task
  t.match((await ask('SubscribeToTask', { id })).error, { code: -32004 }, 'an ended task has no updates')
})

t.test('CORE-GET-002, CORE-CANCEL-003, VER-SERVER: what is not there', async (t) => {
  for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask', 'tasks/get', 'tasks/cancel'])
    t.match((await ask(method, { id: 'nowhere' })).error, { code: -32001, message: String }, method)
  t.match((await ask('SendMessage', message('x', { taskId: 'nowhere' }))).error, { code: -32001 })
  t.match((await ask('NonExistentMethod')).error, {
    code: -32601,
    message: String,
    data: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'a2a-protocol.org' }]
  })
  t.match((await ask('SendMessage')).error, { code: -32602 })
  t.match((await ask('GetTask', { id: 'x' }, { 'a2a-version': '99.0' })).error, { code: -32009 })
})

t.test('JSON-RPC: the same id twice, requests without a method, broken JSON', async (t) => {
  const at = `/v1/a2a/${agent.id}`
  const request = { jsonrpc: '2.0', id: 'again', method: 'SendMessage' }
  for (const text of ['first', 'second'])
    t.match((await ada.post(at, { ...request, params: message(text) })).body, {
      jsonrpc: '2.0',
      id: 'again',
      result: { task: {} }
    })
  const { method: _, ...without } = request
  t.match((await ada.post(at, without)).body, { id: 'again', error: { code: -32600 } })
  t.match((await ada.post(at, [request])).body, { id: null, error: { code: -32600 } })
  const headers = { 'content-type': 'application/json' }
  const broken = await ada.request('POST', at, { body: '{"jsonrpc": "2.0", "method": ', headers })
  t.match(broken.body, { error: { code: -32700 } })
})

t.test('CORE-LIST: filters, order and pages', async (t) => {
  const mine = await published(ada, local)
  const list = async (params: object = {}) => (await call(ada, mine, 'ListTasks', params)).result
  const give = async (contextId: string) =>
    (await call(ada, mine, 'SendMessage', message('Hello', { contextId }))).result.task.id as string
  t.match(await list({ contextId: 'nowhere' }), { tasks: [], totalSize: 0, nextPageToken: '' })
  const first = await give('one')
  const second = await give('two')
  const third = await give('one')
  await booted.settled()
  const idsOf = ({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id)
  t.same(idsOf(await list()), [third, second, first], 'the latest first')
  t.same(idsOf(await list({ contextId: 'one' })), [third, first])
  t.match(await list({ contextId: 'one', status: 'TASK_STATE_COMPLETED' }), { totalSize: 2 })
  t.match(await list({ status: 'TASK_STATE_FAILED' }), { tasks: [], totalSize: 0 })
  const page = await list({ pageSize: 2 })
  t.match(page, { totalSize: 3, pageSize: 2, nextPageToken: /./ })
  const rest = await list({ pageSize: 2, pageToken: page.nextPageToken })
  t.same([...idsOf(page), ...idsOf(rest)], [third, second, first])
  t.equal(rest.nextPageToken, '')
  const { timestamp } = page.tasks[0].status
  t.same(idsOf(await list({ statusTimestampAfter: timestamp })).includes(first), false)
  t.match(await list({ statusTimestampAfter: '2999-01-01T00:00:00Z' }), { tasks: [], totalSize: 0 })
  t.notOk('artifacts' in page.tasks[0])
  t.ok((await list({ includeArtifacts: true })).tasks[0].artifacts)
  const wrong = [{ pageSize: 0 }, { pageSize: 101 }, { pageToken: 'x' }, { status: 'NONE' }]
  for (const params of [
    ...wrong,
    { statusTimestampAfter: 'yesterday' },
    { historyLength: -1 },
    { contextId: 5 }
  ])
    t.match((await call(ada, mine, 'ListTasks', params)).error, { code: -32602 }, JSON.stringify(params))
  t.match((await call(eve, mine, 'ListTasks')).body.error, { code: 'not_owner' }, 'CORE-LIST-001')
})

t.test(
  'CORE-MULTI: a context goes on, a message without one gets one, and a task stays in its own',
  async (t) => {
    const first = (await ask('message/send', saying('Hello'))).result
    const { contextId } = first
    t.ok(contextId)
    const again = (await ask('message/send', saying('Again', { contextId }))).result
    t.equal(again.contextId, contextId)
    t.not(again.id, first.id, 'CORE-MULTI-003')
    t.equal((await ask('message/send', saying('Mine', { contextId: 'my-own' }))).result.contextId, 'my-own')
    const elsewhere = { taskId: first.id, contextId: 'my-own' }
    t.match((await ask('message/send', saying('x', elsewhere))).error, { code: -32602 }, 'CORE-MULTI-006')
    const ended = await ask('message/send', saying('x', { taskId: first.id, contextId }))
    t.match(ended.error, { code: -32004 })
  }
)

t.test('CORE-HIST: as much history as was asked for, in order', async (t) => {
  const { result } = await ask('SendMessage', { ...message('Hello'), configuration: { historyLength: 0 } })
  t.notOk(result.task.history, 'CORE-HIST-003')
  const { id } = result.task
  const get = async (historyLength?: number) => (await ask('GetTask', { id, historyLength })).result
  t.notOk((await get(0)).history, 'CORE-HIST-001')
  t.match((await get(1)).history, [{ role: 'ROLE_AGENT' }])
  t.equal((await get(1)).history.length, 1, 'CORE-HIST-002')
  t.match((await get()).history, [
    { role: 'ROLE_USER', messageId: /./, parts: [{ text: 'Hello' }] },
    { role: 'ROLE_AGENT', messageId: /./, parts: [{ text: 'You said: Hello' }] }
  ])
})

t.test('DM: tasks, messages, parts and times as the data model has them', async (t) => {
  const more = { unheardOf: { of: 'it' } }
  const sent = message('Hello', { ...more, metadata: { a: 1 } })
  const { task } = (await ask('SendMessage', { ...sent, ...more })).result
  const { id, contextId, status, artifacts } = (await ask('GetTask', { id: task.id, ...more })).result
  t.match({ id, contextId }, { id: /./, contextId: /./ }, 'DM-TASK-001, DM-SERIAL-005')
  t.equal(status.state, 'TASK_STATE_COMPLETED')
  t.match(status.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'DM-SERIAL-003')
  t.match(artifacts, [{ artifactId: /./, parts: [{}] }], 'DM-ART-001')
  for (const part of artifacts.flatMap((it: { parts: object[] }) => it.parts))
    t.equal(Object.keys(part).filter((key) => /^(text|raw|url|data)$/.test(key)).length, 1, 'DM-PART-001')
  t.notMatch(JSON.stringify({ task, status, artifacts }), /"[a-z]+_[a-z]+":/, 'DM-SERIAL-001')
})

t.test('CORE-CAP, CARD-EXT, CORE-SEND-003: what is not supported', async (t) => {
  for (const method of ['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard'])
    t.match((await ask(method)).error, { code: -32004 }, method)
  const raw = { raw: 'AAEC/wAAgQ==', filename: 'a.bin', mediaType: 'application/x-unsupported' }
  const refused = await ask('SendMessage', message('x', { parts: [raw] }))
  t.match(refused.error, { code: -32005 })
  t.match((await ask('ListTasks')).result.tasks[0].status.state, /COMPLETED/, 'it was no task')
})

t.test('STREAM-ORDER, STREAM-SUB: all who follow a task are told the same, from where it is', async (t) => {
  const slow = await published(ada, scripted('tokens=30&numbered=1&delay=20'))
  const now = { ...message('Count'), configuration: { returnImmediately: true } }
  const { id } = (await call(ada, slow, 'SendMessage', now)).result.task
  const left = new AbortController()
  const gone = fetch(`${booted.url}/v1/a2a/${slow.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await ada.key()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } }),
    signal: left.signal
  })
  const both = [1, 2].map(() => call(ada, slow, 'SubscribeToTask', { id }))
  const reply = await gone
  t.match(reply.headers.get('content-type'), 'text/event-stream', 'JSONRPC-SSE-001')
  left.abort()
  const [one, other] = await Promise.all(both)
  for (const { frames } of [one, other] as NonNullable<typeof one>[]) {
    t.match(frames[0].result.task, { id, status: { state: /SUBMITTED|WORKING/ } }, 'STREAM-SUB-001')
    t.match(frames.at(-1).result.statusUpdate.status, { state: 'TASK_STATE_COMPLETED' }, 'STREAM-SUB-002')
  }
  const told = ({ frames }: NonNullable<typeof one>) =>
    frames.filter(({ result }) => !result.task).map(({ seq, result }) => [seq, result])
  t.same(told(one as NonNullable<typeof one>), told(other as NonNullable<typeof one>))
})

t.test('PUSH: what is deleted is gone, and may be deleted again', async (t) => {
  const { id: taskId } = (await ask('SendMessage', message('Hello'))).result.task
  const config = { taskId, id: 'mine', url: 'https://example.com/told' }
  t.match((await ask('CreateTaskPushNotificationConfig', config)).result, { id: 'mine' }, 'PUSH-CREATE-001')
  t.match((await ask('GetTaskPushNotificationConfig', config)).result, { id: 'mine', url: config.url })
  t.match((await ask('ListTaskPushNotificationConfigs', { taskId })).result.configs, [{ id: 'mine' }])
  for (const _ of [1, 2])
    t.same((await ask('DeleteTaskPushNotificationConfig', config)).error, undefined, 'PUSH-DEL-002')
  t.match((await ask('GetTaskPushNotificationConfig', config)).error, { code: -32602 }, 'PUSH-GET-002')
})

t.test('CARD, AUTH: what everyone reads, and what nobody does without a credential', async (t) => {
  const card = await booted.anyone.get(`/v1/a2a/${agent.id}/.well-known/agent-card.json`)
  t.match(card.body, { name: /./, description: /./, version: /./, capabilities: {}, skills: [{ id: /./ }] })
  for (const it of card.body.supportedInterfaces)
    t.match(it, { url: /^http/, protocolBinding: 'JSONRPC', protocolVersion: /^\d\.\d$/ }, 'CARD-PROTO-002')
  t.match(card.headers.get('cache-control'), /max-age=\d+/, 'CARD-CACHE-001')
  t.match(card.headers.get('etag'), /"/, 'CARD-CACHE-002')
  const [{ protected: header }] = card.body.signatures
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  t.match({ alg, kid }, { alg: /./, kid: /./ }, 'CARD-SIGN-003')
  const reply = await booted.anyone.post(`/v1/a2a/${agent.id}`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'ListTasks'
  })
  t.equal(reply.status, 401)
  t.match(reply.headers.get('www-authenticate'), /^Bearer/)
})
