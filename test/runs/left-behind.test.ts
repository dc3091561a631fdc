// tier: whole
import t from 'tap'
import { RUN } from '../../plugins/runs/test/testbed.ts'
import { until } from '../packs/stage.ts'
import { faultsOf } from './account.ts'
import { read } from './reader.ts'
import { town } from './town.ts'

t.test('what an instance leaves behind that is killed', async (t) => {
  const place = await town(t)
  const victim = await place.spawn()
  const cliTools = [{ name: 'dig' }]
  const slow = place.story({ words: 60, pace: 15 })
  const active = await place.begin(victim, slow, {}, { elsewhere: place })
  const { sessionId } = await active.reader.until(({ type }) => type === 'run_started')
  // Of the runs behind it one was accepted here, one there, and for one a caller waits here.
  const queued = [
    await place.begin(victim, place.story({ calls: [['once']] }), { sessionId }, { elsewhere: place }),
    await place.begin(place, place.story({ calls: [['again']] }), { sessionId })
  ]
  const lastly = place.client.post(RUN, place.bodyOf(place.story(), { sessionId }))
  const waiting = await place.begin(
    victim,
    place.story({ calls: [['dig']] }),
    { cliTools },
    { elsewhere: place }
  )
  const asked = await place.begin(
    victim,
    place.story({ calls: [['dig', 'once']] }),
    { cliTools },
    { elsewhere: place }
  )
  const headers = { 'idempotency-key': 'the-same-again' }
  const keyed = place.story({ words: 60, pace: 15 })
  const cutOff = victim.client.post(RUN, place.bodyOf(keyed), headers).catch(() => 'cut off')
  for (const { reader } of [waiting, asked]) await reader.until(({ status }) => status === 'waiting')
  for (const { reader } of queued) await reader.until(({ status }) => status === 'queued')
  await active.reader.until(({ type }) => type === 'token')
  await until(
    async () => place.model.of(keyed.name).length,
    (asks) => asks > 0
  )
  await victim.kill()
  t.equal(await cutOff, 'cut off')

  const repeated = place.client.post(RUN, place.bodyOf(keyed), headers)
  for (const { id, reader } of [waiting, asked]) {
    const { callId } = await reader.until(({ type }) => type === 'cli_tool_request')
    const { body } = await place.client.get(`/v1/agents/runs/${id}`)
    t.match(body.data, { status: 'waiting', pending: [{ callId, toolName: 'dig' }] })
    const answer = { runId: id, callId, output: `answered ${callId}` }
    t.match(await place.client.post('/v1/agents/cli-tool-result', answer), { status: 200 })
    t.match(await place.client.post('/v1/agents/cli-tool-result', answer), { status: 409 })
  }
  for (const run of [active, ...queued, waiting, asked])
    t.same(await faultsOf(place, run), [], run.story.name)
  t.match(await lastly, { status: 200, body: { data: { status: 'completed', sessionId } } })

  const attached = await repeated
  t.match(attached, { status: 200, body: { data: { status: 'completed' } } })
  t.equal(attached.headers.get('idempotency-replayed'), 'true')
  const { id: runId } = attached.body.data
  const reader = await read(t, place, { runId })
  t.same(await faultsOf(place, { id: runId, story: keyed, reader }), [])

  const { body } = await place.client.get(`/v1/sessions/${sessionId}/full`)
  const order = [active.id, ...queued.map(({ id }) => id), (await lastly).body.data.id]
  // A run with a call has more messages between its first and its last.
  const spoken = (body.data.messages as { runId: string; role: string }[])
    .filter(({ role }) => role !== 'tool')
    .map(({ runId, role }) => `${runId} ${role}`)
  t.same(
    spoken.filter((said, index) => said !== spoken[index + 1]),
    order.flatMap((id) => [`${id} user`, `${id} assistant`]),
    'one after another, as they came'
  )
})
