import t from 'tap'
import { executed, scripted, stage, workflowOf } from './testbed.ts'

const LIMIT = 5
const ITEMS = 12
const scene = await stage(t, { env: { PLATFORM_LIMIT_PER_MINUTE: String(LIMIT) } })
const { ada, booted } = scene

t.test('accepted work does not fail because of the request limit', async (t) => {
  const { id: agentId } = await ada.agent(scripted('text=Hello'))
  const ask = { id: 'ask', type: 'agent', config: { agentId, prompt: 'x' } }
  const each = (steps: readonly object[]) => [
    {
      id: 'each',
      type: 'forEach',
      config: { items: `{{ [1..${ITEMS}] }}`, concurrency: 4, steps, output: '{{ steps.ask.output }}' }
    }
  ]
  const hellos = Array.from({ length: ITEMS }, () => 'Hello')
  t.match(await executed(scene, each([ask])), { status: 'completed', output: { each: hellos } })
  const workflowId = await workflowOf(ada, [ask], { output: '{{ steps.ask.output }}' })
  const nested = { id: 'ask', type: 'workflow', config: { workflowId } }
  t.match(await executed(scene, each([nested])), { status: 'completed', output: { each: hellos } })
})

t.test("rejects deliveries beyond the limit of the workflow's webhook", async (t) => {
  const { id: agentId } = await ada.agent(scripted('text=Hello'))
  const workflowId = await workflowOf(ada, [{ id: 'ask', type: 'agent', config: { agentId, prompt: 'x' } }])
  const { body } = await ada.post(`/v1/workflows/${workflowId}/webhook-token`, {})
  const path = `/v1/workflows/webhooks/${body.data.token}`
  const headers = { 'content-type': 'application/json' }
  const replies = []
  for (let count = 0; count <= LIMIT; count++)
    replies.push(await booted.anyone.request('POST', path, { body: '{}', headers }))
  t.same(
    replies.map(({ status }) => status),
    [...Array.from({ length: LIMIT }, () => 202), 429]
  )
  t.match(replies.at(-1)?.body, { error: { message: /Rate limit of the workflow exceeded/ } })
})
