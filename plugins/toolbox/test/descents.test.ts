// budget: 6 s, because the second test has two instances
import t from 'tap'
import type { RunOrder } from '../../runs/contract.ts'
import { crew, local, scripted } from './testbed.ts'

const MOST = 12
const EACH = 4
const env = { RUN_MAX_DESCENDANTS: String(MOST), RUN_MAX_QUEUED: '0' }
/** Answers anything by so many tasks for the peer that the model's name says. */
const { booted, deps, ada } = await crew(t, {
  env,
  respond({ body }) {
    const agent = /for=(\w+)/.exec(body.model)?.[1]
    const args = JSON.stringify({ agent, task: 'Go on' })
    return { text: 'Done', tools: Array.from({ length: EACH }, () => ({ name: 'delegate', args })) }
  }
})
const { knex } = booted.platform
const countOf = async (table: string, where: object) =>
  Number((await knex(table).where(where).count())[0]?.count)

const hello = (agent: { id: string }) =>
  ada.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content: 'Hello' }] })
const by = {
  id: ada.id,
  type: 'user',
  project: 'default',
  owner: ada.id,
  scopes: new Set(['agents:run']),
  narrowed: false,
  credential: ''
} as const

t.test('what descends from one request is bounded, however wide agents hand on', async (t) => {
  const [first, second] = [
    await ada.agent({ ...scripted('for=Second'), name: 'First' }),
    await ada.agent({ ...scripted('for=First'), name: 'Second' })
  ]
  for (const { id } of [first, second]) {
    const peer = id === first.id ? second : first
    await ada.post(`/v1/agents/${id}/tools`, { toolId: 'delegate' })
    await ada.post(`/v1/agents/${id}/preferred-connections`, { peerAgentId: peer.id })
  }
  for (let n = 1; n <= 2; n++) {
    const { body } = await hello(first)
    t.match(body.data, { status: 'completed', content: 'Done' })
    t.equal(
      await countOf('runs.run', {}),
      n * (1 + MOST),
      `of the ${1 + 4 + 16 + 64} that there would have been`
    )
    t.match(await knex('runs.run').where({ id: body.data.id }).first(), { descendants: MOST })
    const descending = await knex('runs.run').whereRaw(`request->>'root' = ?`, body.data.id)
    t.equal(descending.length, MOST)
    for (const { status } of descending) t.equal(status, 'completed')
  }
  const outputs: unknown[] = await knex('runs.call').pluck('output')
  const told = outputs.map((output) => JSON.stringify(output))
  for (const text of told)
    t.match(text, /"answer":"(Done)+"|its run tree has reached the limit of 12|can be handed on/)
  t.equal(told.filter((text) => /"answer"/.test(text)).length, 2 * MOST)
})

t.test('several instances count together, and a repetition does not count', async (t) => {
  const { deps: others } = await crew(t, { beside: booted, env })
  const agent = await ada.agent(local)
  const { body } = await hello(agent)
  const { id: parent } = body.data
  const start = ({ runs }: typeof deps, key: string, of = parent) =>
    runs.start(by, {
      agentId: agent.id,
      messages: [{ role: 'user', content: 'Hello' }],
      key,
      depth: 1,
      parent: of
    })
  const once = await start(deps, 'once')
  for (const instance of [deps, others]) t.equal((await start(instance, 'once')).id, once.id)
  t.match(await knex('runs.run').where({ id: parent }).first(), { descendants: 1 })

  const started = await Promise.allSettled(
    Array.from({ length: 2 * MOST }, (_, n) =>
      start(n % 2 ? deps : others, `key-${n}`, n % 3 ? parent : once.id)
    )
  )
  const refused = started.filter(({ status }) => status === 'rejected')
  t.equal(refused.length, MOST + 1)
  for (const refusal of refused)
    t.match(refusal, { reason: { kind: 'rateLimited', code: 'too_many_descendants', headers: undefined } })
  t.equal((await start(others, 'once')).id, once.id, 'a repetition is answered all the same')

  await t.rejects(start(deps, 'another', 'run_unknown'), /Run not found/)
  await ada.delete(`/v1/sessions/${body.data.sessionId}`)
  while (await knex('runs.run').where({ id: parent }).first());
  await t.rejects(start(deps, 'late', once.id), /Run not found/, 'the first one is gone')
})

t.test('a run that was refused for another reason does not count', async (t) => {
  const agent = await ada.agent(local)
  const { id: parent } = (await hello(agent)).body.data
  const busy = await deps.runs.start(by, {
    agentId: agent.id,
    messages: [{ role: 'user', content: '/wait 60000' }]
  })
  const more: RunOrder = {
    agentId: agent.id,
    messages: [{ role: 'user', content: 'Hello' }],
    sessionId: busy.sessionId,
    parent
  }
  await t.rejects(deps.runs.start(by, more), { kind: 'conflict', code: 'session_full' })
  t.match(await knex('runs.run').where({ id: parent }).first(), { descendants: 0 })
  await deps.runs.cancel(by, busy.id)
})
