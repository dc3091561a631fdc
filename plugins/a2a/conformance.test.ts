// What the protocol's compatibility kit holds every agent to (its MUST requirements for JSON-RPC), by its own names.
import t from 'tap'
import { call, local, published, saying, scripted, stage } from './testbed.ts'

const { booted, ada, eve } = await stage(t)
const agent = await published(ada, local)
const message = (text: string, fields: object = {}) => ({
  message: { messageId: `m-${text}-${Math.random()}`, role: 'ROLE_USER', parts: [{ text }], ...fields }
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

t.test('multi-turn: a context goes on, and a message without one gets one', async (t) => {
  const { contextId } = (await ask('message/send', saying('Hello'))).result
  t.ok(contextId)
  t.equal((await ask('message/send', saying('Again', { contextId }))).result.contextId, contextId)
  t.equal((await ask('message/send', saying('Mine', { contextId: 'my-own' }))).result.contextId, 'my-own')
})
