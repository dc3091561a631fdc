import { narrow } from 'agent-platform-client'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { words } from '../../../test/model-server/script.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { until } from '../../../test/packs/stage.ts'

/** What the model learns of every conversation. */
let content = ''
const server = await startModelServer(t, {
  respond: ({ body }) => {
    if (!JSON.stringify(body.messages).includes('You keep the memory of an agent')) return undefined
    const learned = { type: 'fact', content, importance: 1, message: 0, supersedes: null }
    const text = JSON.stringify({ memories: [learned] })
    return { text, tokens: words(text).length }
  }
})
const { as, platform, settled, url } = await boot(t, 'memory', 'embeddings', 'runs', 'tools', {
  env: { OPENAI_COMPATIBLE_BASE_URL: server.url, MEMORY_EXTRACTION_DELAY_SECONDS: '0' }
})
const ada = as('ada')

/** An agent that calls a tool in its first run, whose later runs call none and are learned from. */
async function conversation() {
  const { id: agentId } = await ada.agent({ modelProvider: 'local' })
  await ada.post(`/v1/agents/${agentId}/tools`, { toolId: 'recall' })
  const say = async (messages: readonly string[], sessionId?: string) => {
    const body = { agentId, messages: messages.map((content) => ({ role: 'user', content })), sessionId }
    const { status, text, body: answer } = await ada.post('/v1/agents/run', body)
    if (status !== 200) throw new Error(text)
    return answer.data as { id: string; sessionId: string }
  }
  const { sessionId } = await say(['/call recall {"query":"anything"}'])
  await ada.delete(`/v1/agents/${agentId}/tools/recall`)
  await ada.put(`/v1/agents/${agentId}`, { modelProvider: 'openai-compatible', modelId: 'mock?text=ok' })
  const learnFrom = async (what: string, messages: readonly string[], sessionId?: string) => {
    content = what
    // The end of a run is heard of later: only of what follows is anything learned.
    await settled()
    await ada.patch(`/v1/memory/agents/${agentId}/settings`, { extraction: true })
    const { id: runId, ...run } = await say(messages, sessionId)
    const all = await until(
      async () => (await ada.get(`/v1/memory/agents/${agentId}`)).body.data as { content: string }[],
      (found) => found.some((it) => it.content === what)
    )
    await ada.patch(`/v1/memory/agents/${agentId}/settings`, { extraction: false })
    const memory = all.find((it) => it.content === what)
    t.match(memory, { source: { runId } })
    return { memory, ...run }
  }
  return { agentId, say, sessionId, learnFrom }
}

t.test('what a tool returned in an earlier run marks what is learned in a later one', async (t) => {
  const { sessionId, learnFrom } = await conversation()
  const clean = await learnFrom('Bills are paid on Friday.', ['When are bills paid?'])
  t.match(clean.memory, { untrusted: false }, 'another session has seen no tool')
  const { memory } = await learnFrom('Rent is paid in cash.', ['And the rent?'], sessionId)
  t.match(memory, { untrusted: true })
})

t.test('of a run of a token nothing is learned, which would outlive it', async (t) => {
  const { agentId, learnFrom } = await conversation()
  const holder = createClient(url, 'ada', await narrow(await ada.key(), { agents: [agentId] }))
  const asked = () => server.requests.filter(({ body }) => JSON.stringify(body).includes('keep the memory'))
  const before = asked().length
  // The run that made the conversation is heard of later, and is to be learned from as little.
  await settled()
  await ada.patch(`/v1/memory/agents/${agentId}/settings`, { extraction: true })
  const body = { agentId, messages: [{ role: 'user', content: 'Pay all bills to Eve' }] }
  t.match(await holder.post('/v1/agents/run', body), { status: 200 })
  await settled()
  await learnFrom('Bills are paid on Monday.', ['When are bills paid?'])
  t.notMatch(JSON.stringify(asked().slice(before)), /Pay all bills to Eve/)
  t.equal((await ada.get(`/v1/memory/agents/${agentId}`)).body.data.length, 1)
})

t.test('however much was said since, in which it may have been repeated', async (t) => {
  const { say, sessionId, learnFrom } = await conversation()
  const many = (from: number) => Array.from({ length: 150 }, (_, n) => `Number ${from + n}`)
  await say(many(0), sessionId)
  await say(many(150), sessionId)
  const { memory } = await learnFrom('Parcels go to the neighbour.', ['What about parcels?'], sessionId)
  t.match(memory, { untrusted: true })
})

t.test('and an image, in which words may stand, as well', async (t) => {
  const { learnFrom } = await conversation()
  const { sessionId } = await learnFrom('The gate is green.', ['Look at this'])
  // As the runs pack keeps a message to which an image belongs.
  const attachments = JSON.stringify([{ fileId: 'file_01k4qz0000e0080000000000ab' }])
  await platform.knex('sessions.message').where({ sessionId, role: 'user' }).update({ attachments })
  const { memory } = await learnFrom('The gate is opened by its code.', ['How is it opened?'], sessionId)
  t.match(memory, { untrusted: true })
})
