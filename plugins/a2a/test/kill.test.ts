// budget: 12 s, because an instance is killed, a process of its own
// tier: whole
import t from 'tap'
import { connect } from '../../../test/frames.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { call, local, message, order, published, saying, sdkClient, stage, text } from './testbed.ts'

t.setTimeout(240_000)

interface Update {
  readonly append?: boolean
  readonly final?: boolean
  readonly artifact?: { readonly parts: readonly { readonly text: string }[] }
  readonly id?: string
}

const frameOf = (frame: string): { seq: number; result: Update } => ({
  seq: Number(/^id: (\d+)$/m.exec(frame)?.[1] ?? -1),
  result: JSON.parse(frame.slice(frame.indexOf('data: ') + 6)).result
})

t.test('kill -9 in the middle of a streamed task: nothing is lost, and nothing comes twice', async (t) => {
  const { booted, ada } = await stage(t)
  const packs = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools', 'a2a']
  const victim = await startPlatform(t, booted.connection, [], packs)
  await victim.ready
  const agent = await published(ada, local)
  const headers = { authorization: `Bearer ${await ada.key()}` }
  const params = saying('/wait 20\n/repeat 60 word')
  const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params }
  const stream = await connect(`${victim.url}/v1/a2a/${agent.id}`, { method: 'POST', headers, body })
  const frames: ReturnType<typeof frameOf>[] = []
  const take = (frame: string | undefined) => frame?.includes('data: ') && frames.push(frameOf(frame))
  // The task, that it is at work, and some of its answer.
  while (frames.filter(({ result }) => result.artifact).length < 3) take(await stream.frame())
  await victim.kill()
  stream.close()

  const id = frames[0]?.result.id as string
  const seen = Math.max(...frames.map(({ seq }) => seq))
  const rest = await call(ada, agent, 'tasks/resubscribe', { id }, { 'last-event-id': String(seen) })
  frames.push(...rest.frames)
  t.match(rest.frames.at(-1)?.result, { final: true, status: { state: 'completed' } })
  const places = frames.map(({ seq }) => seq).filter((seq) => seq >= 0)
  t.same(
    places,
    [...new Set(places)].sort((a, b) => a - b),
    'in order, none of them twice'
  )

  let said = ''
  for (const { result } of frames) {
    if (!result.artifact) continue
    if (!result.append) said = ''
    said += result.artifact.parts[0]?.text
  }
  const run = (await ada.get(`/v1/agents/runs/${id}`)).body.data
  t.equal(said, run.content)
  t.equal(run.content.match(/word/g)?.length, 60)

  const again = await call(ada, agent, 'message/send', params)
  t.equal(again.result.id, id, 'the same message is the same task')
  t.equal((await ada.get(`/v1/a2a/${agent.id}/tasks`)).body.data.length, 1)
  const told = await until(
    async () => (await ada.get(`/v1/a2a/${agent.id}/tasks`)).body.data[0],
    ({ state }) => state === 'completed'
  )
  t.equal(told.id, id)

  const client = await sdkClient(booted, ada, agent)
  const next = await client.sendMessage(order(message([text('Still there?')], { contextId: run.sessionId })))
  t.match(next, { contextId: run.sessionId })
})
