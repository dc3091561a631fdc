import t from 'tap'
import { crew, local } from './testbed.ts'

const LIMIT = 6

t.test('what is handed on counts against the limit of the agent that is to do it', async (t) => {
  const { ada } = await crew(t, { env: { PLATFORM_LIMIT_PER_MINUTE: String(LIMIT), DELEGATE_SECONDS: '1' } })
  const peer = await ada.agent({ ...local, name: 'Peer' })
  const callers = await Promise.all([1, 2, 3].map((n) => ada.agent({ ...local, name: `Caller ${n}` })))
  for (const { id } of callers) {
    await ada.post(`/v1/agents/${id}/tools`, { toolId: 'delegate' })
    await ada.post(`/v1/agents/${id}/preferred-connections`, { peerAgentId: peer.id })
  }
  const content = `/call delegate ${JSON.stringify({ agent: 'Peer', task: 'Say hello' })}`
  const contents: string[] = []
  for (let round = 0; round < 4; round++)
    for (const { id: agentId } of callers) {
      const { body } = await ada.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content }] })
      contents.push(body.data?.content ?? JSON.stringify(body))
    }
  t.equal(
    contents.filter((text) => /You said: Say hello/.test(text)).length,
    LIMIT - callers.length,
    'to pin it counts as well'
  )
  // The call has less time than the agent asks it to wait.
  t.match(contents.at(-1), /Rate limit of the agent exceeded/)
})
