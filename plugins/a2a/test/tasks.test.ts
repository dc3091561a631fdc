import type { Task } from '@a2a-js/sdk'
import { TaskState } from '@a2a-js/sdk'
import pg from 'pg'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import {
  answerOf,
  call,
  local,
  message,
  oldClient,
  order,
  published,
  saying,
  scripted,
  sdkClient,
  stage,
  text
} from './testbed.ts'

const { booted, ada } = await stage(t)

t.test('a client of 1.0 gives a task, follows it and reads it', async (t) => {
  const agent = await published(ada)
  const client = await sdkClient(booted, ada, agent)
  t.equal(client.protocolVersion, '1.0')
  const task = (await client.sendMessage(order(message([text('Hello')])))) as Task
  t.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED)
  t.equal(answerOf(task), 'You said: Hello')
  t.match((await ada.get(`/v1/agents/runs/${task.id}`)).body.data, {
    sessionId: task.contextId,
    status: 'completed'
  })

  const seen: string[] = []
  let said = ''
  for await (const { payload } of client.sendMessageStream(
    order(message([text('Again')], { contextId: task.contextId }))
  )) {
    seen.push(payload?.$case ?? '')
    if (payload?.$case !== 'artifactUpdate') continue
    if (!payload.value.append) said = ''
    said += payload.value.artifact ? answerOf({ artifacts: [payload.value.artifact] }) : ''
  }
  t.equal(seen[0], 'task')
  t.equal(seen.at(-1), 'statusUpdate')
  t.equal(said, 'You said: Again')
  const { tasks, totalSize } = await client.listTasks({
    tenant: '',
    contextId: '',
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: '',
    statusTimestampAfter: undefined
  } as never)
  t.equal(totalSize, 2)
  t.equal(tasks[1]?.id, task.id)
  const read = await client.getTask({ tenant: '', id: task.id, historyLength: 5 })
  t.equal(read.contextId, task.contextId)
  t.equal(read.history.length, 2)
  await t.rejects(client.getTask({ tenant: '', id: 'run_nope' } as never), /no such task/i)
  await t.rejects(client.cancelTask({ tenant: '', id: task.id } as never), /ended/)
})

t.test('a client of 0.3 does the same', async (t) => {
  const agent = await published(ada)
  const client = await sdkClient(booted, ada, agent, '0.3')
  t.equal(client.protocolVersion, '0.3')
  const task = (await client.sendMessage(order(message([text('Hello')])))) as Task
  t.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED)
  t.equal(answerOf(task), 'You said: Hello')
  let last: string | undefined
  for await (const { payload } of client.sendMessageStream(order(message([text('Again')]))))
    last = payload?.$case
  t.equal(last, 'statusUpdate')
  t.equal((await client.getTask({ tenant: '', id: task.id } as never)).id, task.id)
})

t.test('a client of the first days finishes a streamed task under its own name', async (t) => {
  const agent = await published(ada)
  const client = await oldClient(booted, ada, agent)
  const params = (id: string, said: string) => ({
    id,
    sessionId: 'trip',
    message: { role: 'user', parts: [{ type: 'text', text: said }] }
  })
  const updates = []
  for await (const update of client.sendTaskSubscribe(params('one', 'Hello') as never))
    updates.push(update.result)
  t.match(updates[0], { id: 'one', status: { state: 'submitted' } })
  t.match(updates.at(-1), { id: 'one', status: { state: 'completed' }, final: true })
  const told = updates.flatMap((update) => ('artifact' in update ? update.artifact.parts : []))
  t.equal(told.map((part) => ('text' in part ? part.text : '')).join(''), 'You said: Hello')

  const task = await client.getTask({ id: 'one' })
  t.match(task, {
    sessionId: 'trip',
    status: { state: 'completed' },
    artifacts: [{ parts: [{ type: 'text', text: 'You said: Hello' }] }]
  })
  const second = await client.sendTask(params('two', 'And then?') as never)
  t.match(second, { sessionId: 'trip', status: { state: 'completed' } })
  const runs = await Promise.all(
    [task, second].map(async (it) => (await ada.get(`/v1/agents/runs/${it?.id}`)).body.data)
  )
  t.equal(runs[0].sessionId, runs[1].sessionId, 'the name of a conversation means the same one')
  const again = await client.sendTask(params('two', 'And then?') as never)
  t.equal(again?.id, second?.id, 'a task that is sent twice is one task')
})

t.test('a message that comes twice is one task, also at the same time', async (t) => {
  const agent = await published(ada)
  const params = saying('Once')
  const replies = await Promise.all([1, 2, 3, 4].map(() => call(ada, agent, 'message/send', params)))
  t.equal(new Set(replies.map(({ result }) => result?.id)).size, 1)
  t.equal((await ada.get(`/v1/a2a/${agent.id}/tasks`)).body.data.length, 1)
})

t.test('a message is recorded by the statement that begins its run, and looked up by none', async (t) => {
  const agent = await published(ada)
  await call(ada, agent, 'message/send', saying('The first of them prepares what is remembered'))
  await booted.settled()
  const { prototype } = pg.Client
  const { query } = prototype
  const texts: string[] = []
  prototype.query = function (this: object, ...args: unknown[]) {
    const [sent] = args as [{ text?: string } | string]
    texts.push(typeof sent === 'string' ? sent : (sent.text ?? ''))
    return Reflect.apply(query, this, args)
  } as never
  t.teardown(() => {
    prototype.query = query
  })
  await call(ada, agent, 'message/send', saying('Hello'))
  const [begun, ...more] = texts.filter((it) => /a2a\.task|runs\.run /.test(it) && !/^update a2a/.test(it))
  t.match(begun, /insert into a2a\.task.*insert into runs\.run/s)
  t.notOk(more.some((it) => /a2a\.task|select .* from runs\.run where id = any/.test(it)))
})

t.test('a stream goes on behind the update that was seen last', async (t) => {
  const agent = await published(ada, scripted('tokens=30&numbered=1&delay=5'))
  const whole = await call(ada, agent, 'message/stream', saying('Count'))
  t.equal(whole.status, 200)
  const { id, contextId } = whole.frames[0].result
  t.ok(whole.frames.every((frame) => frame.jsonrpc === '2.0' && frame.id === whole.id))
  const at = whole.frames[4].seq
  const rest = await call(ada, agent, 'tasks/resubscribe', { id }, { 'last-event-id': String(at) })
  t.ok(rest.frames.every(({ seq }) => seq > at || seq === -1))
  t.match(rest.frames.at(-1).result, {
    kind: 'status-update',
    final: true,
    status: { state: 'completed' },
    contextId
  })
  const content = (await ada.get(`/v1/agents/runs/${id}`)).body.data.content
  t.equal(joined(whole.frames), content)
  t.equal(joined(rest.frames), content, 'where the beginning was not seen the end has it whole')
  t.equal(joined((await call(ada, agent, 'tasks/resubscribe', { id })).frames), content)
  t.match((await call(ada, agent, 'SubscribeToTask', { id })).error, { code: -32004 })
  t.match((await call(ada, agent, 'tasks/resubscribe', { id }, { 'last-event-id': 'x' })).error, {
    code: -32602
  })

  const path = `/v1/a2a/${agent.id}/tasks/${id}/stream`
  const updates = updatesOf((await ada.get(path)).text)
  t.same(
    updates.map(({ seq }) => seq),
    updates.map((_, index) => index),
    'without gaps'
  )
  t.match(updates[0], { type: 'status', taskId: id, state: 'submitted' })
  t.match(updates.at(-1), { type: 'status', state: 'completed' })
  const tail = updatesOf((await ada.get(`${path}?after=${updates.length - 2}`)).text)
  t.match(tail, [{ state: 'completed', artifact: { parts: [{ text: content }] } }])
  t.same(updatesOf((await ada.get(path, { 'last-event-id': String(updates.length - 1) })).text), [])
  t.match(await ada.get(`${path}?after=99999`), { status: 400, body: { error: { param: 'after' } } })
})

t.test('a task that is not waited for is told as it is, and can be cancelled', async (t) => {
  const agent = await published(ada, scripted('endless=1&delay=20'))
  const sent = await call(ada, agent, 'message/send', saying('Go', {}, { blocking: false }))
  t.match(sent.result, { kind: 'task', status: { state: /submitted|working/ } })
  const { id } = sent.result
  const more = await call(ada, agent, 'message/send', saying('More', { taskId: id }))
  t.match(more.error, { code: -32004 }, 'it takes a message when it asks for one')
  t.match((await call(ada, agent, 'tasks/cancel', { id })).result, { status: { state: 'canceled' } })
  t.match((await call(ada, agent, 'CancelTask', { id })).error, {
    code: -32002,
    data: [{ reason: 'TASK_NOT_CANCELABLE', domain: 'a2a-protocol.org' }]
  })
  t.match(
    (
      await call(ada, agent, 'SendMessage', {
        message: { messageId: 'x', taskId: id, role: 'ROLE_USER', parts: [{ text: 'More' }] }
      })
    ).error,
    { code: -32004 }
  )
  await booted.settled()
  const path = `/v1/a2a/${agent.id}/tasks`
  t.match((await ada.get(path)).body.data, [
    { id, state: 'canceled', protocol: '0.3', sessionId: /^session_/ }
  ])
  t.same((await ada.get(`${path}?state=working`)).body.data, [])
})

t.test('a task whose agent fails is told why', async (t) => {
  const agent = await published(ada, scripted('status=400'))
  const { result } = await call(ada, agent, 'message/send', saying('Hello'))
  t.match(result.status, {
    state: 'failed',
    message: { role: 'agent', parts: [{ kind: 'text', text: /400/ }] }
  })
})

t.test('tasks are listed page by page, and go with their conversation', async (t) => {
  const agent = await published(ada, local)
  const ids: string[] = []
  for (const said of ['a', 'b', 'c'])
    ids.unshift((await call(ada, agent, 'message/send', saying(said))).result.id)
  const first = (await ada.get(`/v1/a2a/${agent.id}/tasks?limit=2`)).body
  t.same(
    first.data.map(({ id }: Task) => id),
    ids.slice(0, 2)
  )
  const second = (await ada.get(`/v1/a2a/${agent.id}/tasks?limit=2&cursor=${first.nextCursor}`)).body
  t.same(
    second.data.map(({ id }: Task) => id),
    ids.slice(2)
  )
  t.match((await call(ada, agent, 'ListTasks', { pageSize: 2, includeArtifacts: true })).result, {
    tasks: [{ id: ids[0], artifacts: [{ parts: [{ text: 'You said: c' }] }] }, { id: ids[1] }],
    totalSize: 3,
    pageSize: 2
  })
  t.match((await call(ada, agent, 'ListTasks', { pageSize: 1_000 })).error, { code: -32602 })
  await booted.settled()
  const { sessionId } = first.data[0].sessionId
    ? first.data[0]
    : (await ada.get(`/v1/a2a/${agent.id}/tasks`)).body.data[0]
  await ada.delete(`/v1/sessions/${sessionId}`)
  await booted.settled()
  const left = await until(
    async () => (await ada.get(`/v1/a2a/${agent.id}/tasks`)).body.data,
    (data) => data.length === 2
  )
  t.notOk(left.some(({ id }: Task) => id === ids[0]))
})

interface Frame {
  readonly result: { append?: boolean; artifact?: { parts: { text: string }[] } }
}
function joined(frames: readonly Frame[]): string {
  let said = ''
  for (const { result } of frames) {
    if (!result.artifact) continue
    if (!result.append) said = ''
    said += result.artifact.parts[0]?.text
  }
  return said
}
const updatesOf = (body: string) =>
  [...body.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data as string))
