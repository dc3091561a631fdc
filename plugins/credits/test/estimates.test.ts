import t from 'tap'
import { startModelServer } from '../../../test/model-server.ts'
import { faultsOf, grant, ledgerOf, make, run, setPrice, town } from './testbed.ts'

t.test('charges an estimate for a model that reports no usage, and applies caps', async (t) => {
  const server = await startModelServer(t)
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url }
  const { booted, as, root, settled } = await town(t, { env }, 'outgoing', 'observability')
  const ada = as('ada')
  await grant(root, ada, '10')
  await setPrice(root, 'model', 'openai-compatible/*', { output: '1000' })
  const agent = await ada.agent({
    ...{ modelProvider: 'openai-compatible', modelId: 'mock?tokens=70&usage=0', maxTokens: 100 }
  })
  const cap = await make(ada, '/v1/credits/caps', { agentId: agent.id, period: 'total', limit: '0.15' })

  const { usage } = (await run(ada, agent, 'Hello')).body.data
  t.match(usage, { inputTokens: Number, estimated: true })
  await settled()
  const cost = String(usage.outputTokens / 1_000)
  t.match(await ledgerOf(ada), [
    { kind: 'usage', amount: `-${cost}`, quantity: { outputTokens: usage.outputTokens } },
    { kind: 'grant' }
  ])
  t.equal((await ada.get(`/v1/credits/caps/${cap.id}`)).body.data.spent, cost)
  t.match((await ada.get(`/v1/usage/agents/${agent.id}`)).body.data.total, {
    ...{ modelCalls: 1, estimatedModelCalls: 1, outputTokens: usage.outputTokens, cost }
  })
  t.match(await run(ada, agent, 'Hello'), { status: 402 }, 'the cap has no room for another one')
  t.same(await faultsOf(booted), [])
})
