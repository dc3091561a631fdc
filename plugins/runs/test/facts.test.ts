import t from 'tap'
import { local, puppetStage, run, scripted, streamed, tool } from './testbed.ts'

const { booted, ada, play } = await puppetStage(t)
const factsOf = (subject: string) =>
  booted.platform.knex('kernel.fact').where({ subject }).orderBy(['transaction', 'position'])
const SECRET = 'pomegranate'

t.test('what a run took is told, by run and by step, and nothing that was said', async (t) => {
  play.tools = () => [tool('look', async () => ({ output: `${SECRET} found` }))]
  const model = scripted(`tool=look&args={"for":"${SECRET}"}&text=The ${SECRET} is ripe&cached=3`)
  const agent = await ada.agent({ ...model, instructions: `Talk of a ${SECRET}` })
  const { body } = await run(ada, agent, `Where is the ${SECRET}?`, { cliContext: SECRET })
  const { id: runId, sessionId, usage } = body.data
  t.equal(usage.cachedTokens, 6)
  const facts = await factsOf(runId)
  const about = { runId, sessionId, agentId: agent.id }
  t.match(facts, [
    { name: 'runs.started', project: 'default', owner: ada.id, actor: ada.id, data: about },
    {
      name: 'runs.completed',
      project: 'default',
      owner: ada.id,
      actor: ada.id,
      data: { ...about, ...model, usage, provenance: 'metadata' },
      usage: [
        { meter: 'tokens.input', quantity: String(usage.inputTokens) },
        { meter: 'tokens.cached', quantity: '6' },
        { meter: 'tokens.output', quantity: String(usage.outputTokens) }
      ]
    }
  ])
  t.equal(facts.length, 2)
  const { steps } = facts[1].data
  t.equal(steps.length, 2)
  for (const part of ['inputTokens', 'cachedTokens', 'outputTokens'])
    t.equal(steps[0][part] + steps[1][part], usage[part])
  const [created] = await factsOf(sessionId)
  t.match(created, { name: 'sessions.created', owner: ada.id, data: { id: sessionId, agentId: agent.id } })
  t.notOk('title' in created.data || 'metadata' in created.data)
  const said = JSON.stringify([facts, created]).replaceAll(JSON.stringify(model.modelId), '')
  t.notMatch(said, SECRET)
})

t.test('how a run ended is told once', async (t) => {
  const agent = await ada.agent(local)
  const failed = await streamed(ada, agent, `/say ${SECRET}\n/fail 400 ${SECRET}`, {
    provenance: { mode: 'off' }
  })
  const facts = await factsOf(failed.runId)
  t.match(facts, [
    { name: 'runs.started' },
    {
      name: 'runs.failed',
      data: { code: 'model_request_rejected', modelProvider: 'local', steps: [], provenance: 'off' }
    }
  ])
  t.equal(facts.length, 2)
  t.notMatch(JSON.stringify(facts), SECRET)

  const cliTools = [{ name: 'dig' }]
  const waiting = (await run(ada, agent, '/call dig {}', { cliTools })).body.data
  for (let turn = 0; turn < 3; turn++) await ada.post(`/v1/agents/runs/${waiting.id}/cancel`)
  const cancelled = await factsOf(waiting.id)
  t.match(cancelled, [
    { name: 'runs.started' },
    { name: 'runs.suspended' },
    { name: 'runs.cancelled', data: { runId: waiting.id, steps: [{ outputTokens: Number }] } }
  ])
  t.equal(cancelled.length, 3)
  t.ok(cancelled[2].data.usage.outputTokens > 0)
})

t.test('the initiator that a service acts for owns what it did', async (t) => {
  const bot = booted.as('bot', { type: 'service' })
  const agent = await bot.agent(local)
  const { id: runId, sessionId } = (await run(bot, agent, 'Hello', {}, { 'x-initiator': 'fay' })).body.data
  for (const subject of [runId, sessionId])
    for (const fact of await factsOf(subject)) t.match(fact, { owner: 'fay' }, fact.name)
})
