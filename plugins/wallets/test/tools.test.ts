// budget: 6 s, because agents run, and pay on a chain
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { startChain } from '../../../test/chain/chain.ts'
import { until } from '../../../test/packs/stage.ts'
import { openShop } from './shop-testbed.ts'
import type { Any } from './testbed.ts'
import { ended, envOf, open, walletOf } from './testbed.ts'

t.test('agents pay by tools', async (t) => {
  const chain = await startChain(t)
  const shop = await openShop(t, chain, { chainId: 31_337, name: 'anvil' })
  const { as } = await boot(t, 'wallets', 'models', 'runs', 'tools', 'toolbox', 'workflows', {
    env: envOf({ ...chain.network, pollSeconds: 0.2 })
  })
  const ada = as('ada')
  const to = chain.merchant
  const limits = { maxPerPayment: '5', maxPerDay: null, approvalAbove: '1' }
  const policy = { ...open, stablecoin: limits }
  const agentWith = async (...tools: string[]) => {
    const agent = await ada.agent({ modelProvider: 'local' })
    for (const toolId of tools) await ada.post(`/v1/agents/${agent.id}/tools`, { toolId })
    return { agent, wallet: await walletOf(ada, chain, { agentId: agent.id, policy }) }
  }
  const run = async (agent: Any, content: string, fields: object = {}) =>
    (
      await ada.post('/v1/agents/run', {
        agentId: agent.id,
        messages: [{ role: 'user', content }],
        ...fields
      })
    ).body
  const call = (name: string, args: object) => `/call ${name} ${JSON.stringify(args)}`
  /** The run once it has ended, or waits for something else. */
  const answer = async ({ data: { id, pending } }: Any, body: object, by = ada) => {
    const [{ elicitationId }] = pending
    const reply = await by.post(`/v1/agents/runs/${id}/elicitations/${elicitationId}`, body)
    if (reply.status !== 200) return reply
    return until(
      () => ada.get(`/v1/agents/runs/${id}`),
      ({ body: { data } }) => data.status !== 'running' && data.pending[0]?.elicitationId !== elicitationId
    )
  }
  const paidBy = async (wallet: Any) =>
    (await ada.get(`/v1/wallets/${wallet.id}/transfers`)).body.data.map(({ amount, approved }: Any) => [
      amount,
      approved
    ])

  t.test('what is small they pay by themselves, what is not a person approves', async (t) => {
    const { agent, wallet } = await agentWith('wallet_balance', 'wallet_transfer')
    t.match(await run(agent, call('wallet_balance', {})), { data: { status: 'completed', content: /100/ } })
    t.match(await run(agent, call('wallet_transfer', { to, amount: '0.5' })), {
      data: { status: 'completed' }
    })
    t.same(await paidBy(wallet), [['0.5', false]])

    const waiting = await run(agent, call('wallet_transfer', { to, amount: '2' }))
    t.match(waiting.data, {
      status: 'waiting',
      pending: [{ for: 'elicitation', message: `May 2 TUSD be paid on anvil to ${to}?` }]
    })
    const itself = as(agent.id, { type: 'agent', owner: ada.id })
    t.match(
      await answer(waiting, { action: 'accept', content: { approve: true } }, itself),
      { status: 403 },
      'not by itself'
    )
    t.match(await answer(waiting, { action: 'accept', content: { approve: true } }), { status: 200 })
    t.same(await paidBy(wallet), [
      ['2', true],
      ['0.5', false]
    ])

    const declined = await run(agent, call('wallet_transfer', { to, amount: '3' }))
    t.match((await answer(declined, { action: 'decline' })).body.data, { content: /A person has to approve/ })
    const beyond = await run(agent, call('wallet_transfer', { to, amount: '6' }))
    t.match(
      beyond.data,
      { status: 'completed', content: /pays 5 TUSD at most at once/ },
      'no person is asked about that'
    )
    t.equal((await paidBy(wallet)).length, 2)
  })

  t.test('what may come from strangers counts together', async (t) => {
    const { agent, wallet } = await agentWith('calculator', 'wallet_transfer')
    const pieces = Array(3)
      .fill(call('wallet_transfer', { to, amount: '0.6' }))
      .join('\n')
    const { data } = await run(agent, call('calculator', { expression: '1+1' }))
    t.match(data, { status: 'completed', content: /2/ })
    let reply = await run(agent, pieces, { sessionId: data.sessionId })
    while (reply.data.status === 'waiting') reply = (await answer(reply, { action: 'decline' })).body
    t.match(reply.data.content, /A person has to approve/)
    t.same(await paidBy(wallet), [['0.6', false]], 'one piece, and no more')
    const own = await run(agent, pieces)
    t.equal(own.data.status, 'completed')
    t.equal((await paidBy(wallet)).length, 4, 'of the words of a person each is one')
  })

  t.test('so they do whoever has it paid: delegates, steps of workflows, programs, other runs', async (t) => {
    const delegating = async (task: string, isTainted: boolean) => {
      const asking = await ada.agent({ modelProvider: 'local' })
      for (const toolId of ['delegate', 'calculator'])
        await ada.post(`/v1/agents/${asking.id}/tools`, { toolId })
      await ada.post(`/v1/agents/${asking.id}/preferred-connections`, { peerAgentId: agent.id })
      const first = isTainted ? (await run(asking, call('calculator', { expression: '1+1' }))).data : {}
      const fields = isTainted ? { sessionId: first.sessionId } : {}
      return (await run(asking, call('delegate', { agent: agent.id, task }), fields)).data
    }
    const { agent, wallet } = await agentWith('wallet_transfer')
    const piece = (amount = '0.3') => call('wallet_transfer', { to, amount })
    await delegating(piece('0.9'), false)
    await delegating(piece('0.9'), false)
    t.same(await paidBy(wallet), [
      ['0.9', false],
      ['0.9', false]
    ])
    await delegating(piece(), true)
    await delegating(piece(), true)
    t.equal((await paidBy(wallet)).length, 4, 'what may be of strangers comes to 0.6')
    t.match((await delegating(piece('0.5'), true)).content, /waits for an approval/)

    const steps = [
      {
        id: 'pay',
        type: 'tool',
        config: { agentId: agent.id, tool: 'wallet_transfer', args: { to, amount: '0.3' } }
      },
      { id: 'ask', type: 'agent', config: { agentId: agent.id, prompt: piece('0.2') }, dependsOn: ['pay'] }
    ]
    const workflow = (await ada.post('/v1/workflows', { name: 'Pay', definition: { steps } })).body.data
    const execution = (await ada.post(`/v1/workflows/${workflow.id}/execute`, {})).body.data
    const at = `/v1/workflows/${workflow.id}/executions/${execution.id}`
    const asking = await until(
      async () => (await ada.get(at)).body.data.steps.find(({ path }: Any) => path === 'ask'),
      (step) => typeof step?.runId === 'string'
    )
    await until(
      async () => (await ada.get(`/v1/agents/runs/${asking.runId}`)).body.data,
      ({ status }) => status === 'waiting'
    )
    t.equal((await paidBy(wallet)).length, 5, 'the first step pays, and the second one has to ask')

    const itself = as(agent.id, { type: 'agent', owner: ada.id })
    const path = `/v1/wallets/${wallet.id}/transfer`
    const refused = { status: 403, body: { error: { code: 'approval_required' } } }
    t.match(await itself.post(path, { to, amount: '0.2' }), refused)
    const order = { agentId: agent.id, messages: [{ role: 'user', content: piece('0.2') }] }
    t.match((await itself.post('/v1/agents/run', order)).body.data, { status: 'waiting' })
    t.match((await itself.post(path, { to, amount: '0.1' })).status, 201, 'up to the threshold')
    t.match(await itself.post(path, { to, amount: '0.000001' }), refused)
    t.match((await ada.post(path, { to, amount: '0.2' })).status, 201, 'a person still may')
    t.match(
      (await run(agent, piece('0.2'))).data,
      { status: 'completed' },
      'and what a person says still counts'
    )
  })

  t.test('they buy answers, and are asked about with price and host', async (t) => {
    const { agent, wallet } = await agentWith('x402_fetch')
    const url = `${shop.url}/v2`
    const bought = await run(agent, call('x402_fetch', { url, maxAmount: '0.05' }))
    t.match(bought.data, { status: 'completed', content: /paid/ })
    t.match(await run(agent, call('x402_fetch', { url, maxAmount: '0.001' })), {
      data: { content: /more than 0.001/ }
    })
    shop.state.price = '1500000'
    const waiting = await run(agent, call('x402_fetch', { url, maxAmount: '2' }))
    t.match(waiting.data.pending, [
      { message: /May 1.5 TUSD be paid on anvil to 0x.*, for an answer of 127.0.0.1:\d+\?/ }
    ])
    t.match((await answer(waiting, { action: 'accept', content: { approve: true } })).body.data, {
      content: /paid/
    })
    const [last] = (await ada.get(`/v1/wallets/${wallet.id}/transfers`)).body.data
    t.match(await ended(ada, last), { status: 'confirmed', approved: true, runId: waiting.data.id })
  })

  t.test('no agent pays from another one’s wallet, nor for a stranger', async (t) => {
    const { wallet } = await agentWith('wallet_transfer')
    const { agent } = await agentWith('wallet_transfer')
    const other = await run(agent, call('wallet_transfer', { to, amount: '0.1', walletId: wallet.id }))
    t.match(other.data, { content: /Wallet not found/ })
    t.same(await paidBy(wallet), [])
  })
})
