// budget: 40 s, because hundreds of memories are made
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { words } from '../../../test/model-server/script.ts'
import type { ModelRequest } from '../../../test/model-server.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { callTool } from './model-replies.ts'

/** Serves prompts as a prefix cache does: what a request has in common with an earlier one, from its beginning on. */
function createPrefixCache() {
  const seen: string[] = []
  const counted = { whole: 0, cached: 0 }
  return {
    counted,
    share: () => counted.cached / counted.whole,
    take({ body }: ModelRequest) {
      const text = JSON.stringify(body.tools ?? []) + JSON.stringify(body.messages)
      // What comes before the first request of a conversation is cached by nobody.
      if (seen.length > 0) {
        counted.whole += text.length
        counted.cached += Math.max(...seen.map((it) => commonLength(it, text)))
      }
      seen.push(text)
    }
  }
}

function commonLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

const answer: string =
  'The answer is not short and names what was asked for with some words around it. '.repeat(4)
let cache = createPrefixCache()
/** Calls that the model still makes. */
let steps = 0
const server = await startModelServer(t, {
  respond: (request, response) => {
    cache.take(request)
    if (!request.body.model.includes('loop=1') || steps === 0)
      return { text: answer, tokens: words(answer).length }
    steps--
    callTool(response, `call_${steps}`, 'recall', { query: `plant ${steps}` })
  }
})
const { as } = await boot(t, 'memory', 'embeddings', 'goals', 'runs', 'tools', {
  env: { OPENAI_COMPATIBLE_BASE_URL: server.url }
})
const ada = as('ada')
const scripted = (script: string) => ({ modelProvider: 'openai-compatible', modelId: `mock?${script}` })

for (const count of [30, 300])
  t.test(`a conversation with ${count} memories repeats its prompts from the beginning`, async (t) => {
    const agent = await ada.agent({
      ...scripted('text=ok'),
      instructions: 'Be a good help. '.repeat(250)
    })
    for (const toolId of ['remember', 'recall', 'forget'])
      await ada.post(`/v1/agents/${agent.id}/tools`, { toolId })
    const goal = (await ada.post('/v1/goals', { agentId: agent.id, title: 'Plan a garden' })).body.data
    for (let n = 0; n < count; n++)
      await ada.post('/v1/memory', {
        agentId: agent.id,
        content: `Plant ${n} of the garden grows at place ${n % 17}.`
      })
    const asked = (turn: number) => (turn * 23) % count
    cache = createPrefixCache()
    let sessionId: string | undefined
    for (let turn = 0; turn < 12; turn++) {
      await ada.put(`/v1/goals/${goal.id}`, { progress: turn })
      const content = `Where does plant ${asked(turn)} grow, and what is at place ${turn}?`
      const reply = await ada.post('/v1/agents/run', {
        agentId: agent.id,
        messages: [{ role: 'user', content }],
        ...(sessionId && { sessionId })
      })
      t.equal(reply.status, 200)
      sessionId = reply.body.data.sessionId
    }
    const last = JSON.stringify(server.requests.at(-1)?.body.messages)
    t.match(last, /Plan a garden/, 'its goals are there')
    t.match(last, new RegExp(`Plant ${asked(11)} of`), 'and what fits to the last question')
    t.ok(cache.share() >= 0.9, `${Math.round(cache.share() * 1_000) / 10} % of the input`)
  })

t.test('a loop of twenty steps repeats its prompts from the beginning', async (t) => {
  const { id: agentId } = await ada.agent({
    ...scripted('text=done&loop=1'),
    instructions: 'Be a good help. '.repeat(60)
  })
  await ada.post('/v1/goals', { agentId, title: 'Plan a garden' })
  for (const toolId of ['remember', 'recall', 'forget'])
    await ada.post(`/v1/agents/${agentId}/tools`, { toolId })
  cache = createPrefixCache()
  steps = 20
  const reply = await ada.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content: 'Go' }] })
  t.match(reply, { status: 200, body: { data: { status: 'completed' } } })
  t.equal(steps, 0)
  t.ok(cache.share() >= 0.9, `${Math.round(cache.share() * 1_000) / 10} % of the input`)
})

t.test('tools are offered in the same order, whichever order they were assigned in', async (t) => {
  const names: string[][] = []
  for (const toolIds of [
    ['remember', 'recall', 'forget'],
    ['forget', 'remember', 'recall']
  ]) {
    const { id: agentId } = await ada.agent(scripted('text=ok'))
    for (const toolId of toolIds) await ada.post(`/v1/agents/${agentId}/tools`, { toolId })
    await ada.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content: 'Hello' }] })
    const tools = server.requests.at(-1)?.body.tools as { function: { name: string } }[]
    names.push(tools.map((it) => it.function.name))
  }
  t.same(names[0], names[1])
})
