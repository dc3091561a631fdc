// budget: 8 s, because a run has twenty steps, with memories that are searched
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { words } from '../../../test/model-server/script.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { createPrefixCache } from '../../../test/prefix-cache.ts'
import { callTool } from './model-replies.ts'

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
