import t from 'tap'
import { local, makeTask, runOnce, streamOf, town } from './testbed.ts'

const { as, url } = await town(t)
const ada = as('ada')
const agent = await ada.agent(local)
const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR = 3_600_000

/** The stream once it is open; `close` leaves. */
async function open(client: typeof ada, id: string) {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${await client.key()}` }
  const response = await fetch(`${url}/v1/tasks/${id}/stream`, { headers, signal: leaving.signal })
  return { status: response.status, text: () => response.text(), close: () => leaving.abort() }
}

t.test('the stream of a task that is scheduled waits for its first run', async (t) => {
  const { id } = await makeTask(ada, { agentId: agent.id, scheduledFor: inFuture(1_500) })
  t.match(await ada.get(`/v1/tasks/${id}/runs`), { body: { data: [] } })
  const { status, events } = await streamOf(ada, id)
  t.equal(status, 200)
  t.same(
    events.map(({ type, status }) => status ?? type),
    ['queued', 'running', 'completed']
  )
  const run = await runOnce(ada, id, () => true)
  t.same(new Set(events.map(({ taskRunId }) => taskRunId)), new Set([run.id]))
})

t.test('it shows a run that is made by hand, too', async (t) => {
  const { id } = await makeTask(ada, { agentId: agent.id, scheduledFor: inFuture(HOUR) })
  const stream = await open(ada, id)
  await ada.post(`/v1/tasks/${id}/execute`)
  t.match(await stream.text(), /"type":"completed"/)
})

t.test('it ends when nothing is to come any more', async (t) => {
  const [cancelled, deleted, moved] = [
    await makeTask(ada, { agentId: agent.id, scheduledFor: inFuture(HOUR) }),
    await makeTask(ada, { agentId: agent.id, cronExpression: '0 0 29 2 *', isRecurring: true }),
    await makeTask(ada, { agentId: agent.id, scheduledFor: inFuture(HOUR) })
  ]
  const streams = await Promise.all([cancelled, deleted, moved].map(({ id }) => open(ada, id)))
  t.match(streams, [{ status: 200 }, { status: 200 }, { status: 200 }])
  await ada.post(`/v1/tasks/${cancelled.id}/cancel`)
  await ada.delete(`/v1/tasks/${deleted.id}`)
  await ada.patch(`/v1/tasks/${moved.id}/schedule`, { scheduledFor: null })
  for (const stream of streams) t.notMatch(await stream.text(), /data:/)
  const refused = (message: RegExp) => ({ status: 404, body: { error: { code: 'never_ran', message } } })
  t.match(await ada.get(`/v1/tasks/${cancelled.id}/stream`), refused(/was cancelled before it ran/))
  t.match(await ada.get(`/v1/tasks/${moved.id}/stream`), refused(/has no time and was not executed/))
  t.match(await ada.get(`/v1/tasks/${deleted.id}/stream`), {
    status: 404,
    body: { error: { message: /^Task not/ } }
  })
})

t.test('an event of a run that is to come is 400, and nobody else waits for it', async (t) => {
  const { id } = await makeTask(ada, { agentId: agent.id, scheduledFor: inFuture(HOUR) })
  t.match(await ada.get(`/v1/tasks/${id}/stream?after=0`), {
    status: 400,
    body: { error: { param: 'after' } }
  })
  t.match(await as('eve').get(`/v1/tasks/${id}/stream`), { status: 403 })
})

t.test('an owner has so many of them open, and no more', async (t) => {
  const { id } = await makeTask(ada, { agentId: agent.id, scheduledFor: inFuture(HOUR) })
  const streams = await Promise.all(Array.from({ length: 100 }, () => open(ada, id)))
  t.same(new Set(streams.map(({ status }) => status)), new Set([200]))
  t.match(await ada.get(`/v1/tasks/${id}/stream`), {
    status: 429,
    body: { error: { code: 'too_many_streams' } }
  })
  const bob = as('bob')
  const other = await makeTask(bob, { agentId: (await bob.agent(local)).id, scheduledFor: inFuture(HOUR) })
  const theirs = await open(bob, other.id)
  t.equal(theirs.status, 200, 'another owner may')
  theirs.close()
  for (const stream of streams) stream.close()
  for (let status = 429; status !== 200; ) {
    const again = await open(ada, id)
    again.close()
    status = again.status
  }
})
