// budget: 5 s, because a platform with tasks and workflows is booted
import type { SpaceEvent } from 'agent-platform-client'
import t from 'tap'
import { all, cuttingProxy, failing, stage, upTo } from './testbed.ts'

const packs = ['tools', 'tasks', 'workflows', 'spaces']
const { booted, client, ada, agent } = await stage(t, { packs })
const numbers = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq)

t.test('a run of a task is followed to its end, wherever the connection is cut', async (t) => {
  const { data: task } = await ada.post('/v1/tasks', { body: { agentId: agent.id, title: '/say Done' } })
  const params = { path: { id: task.id } }
  await t.rejects(all(ada.tasks.follow(task.id)), failing({ status: 404 }))
  const { data: run } = await ada.post('/v1/tasks/{id}/execute', { params })
  const stream = ada.tasks.follow(task.id)
  const events = await all(stream)
  t.equal(stream.id, run.id)
  t.same(numbers(events), upTo(events.length - 1))
  t.match(events.at(-1), { type: 'completed', output: { content: 'Done' } })

  const scheduledFor = new Date(Date.now() + 1_000).toISOString()
  const { data: later } = await ada.post('/v1/tasks', {
    body: { agentId: agent.id, title: '/say Later', scheduledFor }
  })
  t.match((await all(ada.tasks.follow(later.id))).at(-1), { type: 'completed', output: { content: 'Later' } })

  const way = await cuttingProxy(t, booted.url, () => 700)
  t.same(await all(client({ baseUrl: way.url, retries: 10 }).tasks.follow(task.id)), events)
  const { data: newer } = await ada.post('/v1/tasks/{id}/execute', { params })
  t.match((await all(ada.tasks.follow(task.id))).at(-1), { taskRunId: newer.id })
  t.same(await all(ada.tasks.follow(task.id, { run: run.id, after: 0 })), events.slice(1))
  t.same(await all(ada.tasks.follow(task.id, { run: run.id, after: events.length - 1 })), [])
})

t.test('an execution of a workflow is followed while it waits and goes on', async (t) => {
  const { data: workflow } = await ada.post('/v1/workflows', {
    body: {
      name: 'Ask',
      definition: { steps: [{ id: 'ask', type: 'approval', config: { message: 'Go on?' } }] }
    }
  })
  const { id } = workflow
  const { data: execution } = await ada.post('/v1/workflows/{id}/execute', { params: { path: { id } } })
  const path = { id, executionId: execution.id }
  const types: string[] = []
  const events = []
  for await (const event of ada.executions.follow(id, execution.id)) {
    events.push(event)
    types.push(event.type)
    if (event.type === 'approval_request')
      await ada.post('/v1/workflows/{id}/executions/{executionId}/approve', { params: { path } })
  }
  t.same(numbers(events), upTo(events.length - 1))
  t.match(
    types.filter((type) => !['status', 'step'].includes(type)),
    ['approval_request', 'completed']
  )
  t.same(await all(ada.executions.follow(id, execution.id, { after: 2 })), events.slice(3))
  t.same(await all(ada.executions.follow(id, execution.id, { after: events.length - 1 })), [])
})

t.test('a space is followed by its members, wherever the connection is cut', async (t) => {
  const { data: space } = await ada.post('/v1/spaces', { body: { name: 'Harbour' } })
  const params = { path: { spaceId: space.id } }
  const say = (content: string) => ada.post('/v1/spaces/{spaceId}/messages', { params, body: { content } })
  const { data: member } = await ada.post('/v1/spaces/{spaceId}/members', {
    params,
    body: { subjectType: 'user', subjectId: 'bob' }
  })
  const bob = client({ apiKey: await booted.as('bob').key() })
  const way = await cuttingProxy(t, booted.url, () => 1_500)
  const cut = client({ baseUrl: way.url, resumes: 30 })
  const isStored = ({ type }: SpaceEvent) => !['presence', 'typing'].includes(type)
  /** What is stored, up to that message. */
  async function upToMessage(stream: AsyncIterable<SpaceEvent>, content: string): Promise<SpaceEvent[]> {
    const events: SpaceEvent[] = []
    for await (const event of stream) {
      if (isStored(event)) events.push(event)
      if (event.type === 'message_posted' && event.message.content === content) break
    }
    return events
  }
  const reading = [ada, cut].map((it) => upToMessage(it.spaces.follow(space.id), 'The last'))
  for (let n = 0; n < 20; n++) await say(`Message ${n}`)
  await say('The last')
  const [events = [], others] = await Promise.all(reading)
  t.same(numbers(events), upTo(22))
  t.same(others, events)
  t.ok(way.stats.cuts > 3, `${way.stats.cuts} cuts`)
  t.same(await upToMessage(cut.spaces.follow(space.id, { after: 15 }), 'The last'), events.slice(16))

  const live = ada.spaces.follow(space.id, { after: 22 })
  const first = live.next()
  await bob.post('/v1/spaces/{spaceId}/signals', { params, body: { type: 'typing' } })
  let event = (await first).value
  while (event.type !== 'typing') {
    await bob.post('/v1/spaces/{spaceId}/signals', { params, body: { type: 'typing' } })
    event = (await live.next()).value
  }
  t.match(event, { seq: 22, memberId: member.id }, 'what is not stored has the number of what was before it')
  const leaving = all(live)
  await ada.get('/v1/spaces/{spaceId}/unsubscribe', { params })
  t.equal((await leaving).at(-1)?.type, 'unsubscribed')

  const followed = bob.spaces.follow(space.id, { after: 21 })
  await followed.next()
  const removed = all(followed)
  await ada.delete('/v1/spaces/{spaceId}/members/{memberId}', {
    params: { path: { ...params.path, memberId: member.id } }
  })
  t.match((await removed).at(-1), { type: 'member_removed', memberId: member.id })
  await t.rejects(all(bob.spaces.follow(space.id)), failing({ status: 403, code: 'not_member' }))
  const last = ada.spaces.follow(space.id, { after: 22 })
  let found = (await last.next()).value
  while (!isStored(found)) found = (await last.next()).value
  t.match(found, { type: 'member_removed', seq: 23 })
  const ending = all(last)
  await ada.delete('/v1/spaces/{spaceId}', { params })
  t.same((await ending).filter(isStored), [])
  await t.rejects(all(ada.spaces.follow(space.id)), failing({ status: 404 }))
})
