// budget: 40 s, because hundreds of memories are made
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { words } from '../../../test/model-server/script.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { createPrefixCache } from '../../../test/prefix-cache.ts'

const answer: string =
  'The answer is not short and names what was asked for with some words around it. '.repeat(4)
let cache = createPrefixCache()
const server = await startModelServer(t, {
  respond: (request) => {
    cache.take(request)
    return { text: answer, tokens: words(answer).length }
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
