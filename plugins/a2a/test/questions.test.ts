import t from 'tap'
import { call, local, published, saying, stage } from './testbed.ts'

const question = {
  message: 'Which colour?',
  schema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }
}
const parameters = { type: 'object' }
const { booted, ada } = await stage(t, {
  tools: {
    send_money: {
      description: 'Sends money',
      parameters,
      idempotent: false,
      call: async ({ args }) => ({ output: `sent ${args.amount}` })
    },
    paint: {
      description: 'Paints',
      parameters,
      idempotent: false,
      async call({ ask }) {
        const { action, content } = await ask(question)
        return { output: action === 'accept' ? `painted ${content?.colour}` : action }
      }
    }
  }
})

const PAY = '/call send_money {"amount": 5}'

async function worker(policy: 'allow' | 'ask', toolId: string) {
  const agent = await published(ada, local)
  const { status } = await ada.post(`/v1/agents/${agent.id}/tools`, { toolId, policy })
  t.equal(status, 201)
  return agent
}
const answer = (id: string, text: string, more: object = {}) => saying(text, { taskId: id, ...more })

t.test('a call that has to be approved is asked about, and approved by the next message', async (t) => {
  const agent = await worker('ask', 'send_money')
  const streamed = await call(ada, agent, 'message/stream', saying(PAY))
  const asked = streamed.frames.at(-1).result
  t.match(asked, { kind: 'status-update', final: true, status: { state: 'input-required' } })
  t.match(asked.status.message.parts, [
    { kind: 'text', text: /send_money has to be approved/ },
    { kind: 'data', data: { for: 'approval', toolName: 'send_money', args: { amount: 5 } } }
  ])
  const { taskId: id } = asked
  t.match((await call(ada, agent, 'tasks/get', { id })).result.status, { state: 'input-required' })
  await booted.settled()
  t.match((await ada.get(`/v1/a2a/${agent.id}/tasks`)).body.data, [{ id, state: 'input-required' }])

  t.match(
    (await call(ada, agent, 'message/send', answer(id, 'Maybe'))).error,
    { code: -32602 },
    'that decides nothing'
  )
  const yes = answer(id, 'approve')
  const rest = await call(ada, agent, 'message/stream', yes)
  t.ok(
    rest.frames.every(({ seq }) => seq > streamed.frames.at(-1).seq || seq === -1),
    'nothing is told twice'
  )
  t.match(rest.frames.at(-1).result, { final: true, status: { state: 'completed' } })
  const done = (await call(ada, agent, 'tasks/get', { id })).result
  t.match(done.artifacts[0].parts[0].text, /sent 5/)
  t.equal(
    (await call(ada, agent, 'message/send', yes)).result.status.state,
    'completed',
    'the same answer again'
  )
  t.match(
    (await call(ada, agent, 'message/send', answer(id, 'approve'))).error,
    { code: -32004 },
    'another one'
  )
})

t.test('a call is rejected with a reason', async (t) => {
  const agent = await worker('ask', 'send_money')
  const { result } = await call(ada, agent, 'SendMessage', {
    message: { messageId: 'pay', role: 'ROLE_USER', parts: [{ text: PAY }] }
  })
  t.match(result.task.status, { state: 'TASK_STATE_INPUT_REQUIRED' })
  const { callId } = result.task.status.message.parts[1].data
  const { id: taskId } = result.task
  const parts = [{ data: { decision: 'reject', callId, comment: 'Too much' } }]
  const other = [{ data: { decision: 'reject', callId: 'call_nope' } }]
  const say = (messageId: string, parts: object[]) =>
    call(ada, agent, 'SendMessage', { message: { messageId, taskId, role: 'ROLE_USER', parts } })
  t.match((await say('n1', other)).error, { code: -32602 })
  const ended = (await say('n2', parts)).result.task
  t.match(ended.status, { state: 'TASK_STATE_COMPLETED' })
  t.match(ended.artifacts[0].parts[0].text, /rejected.*Too much/)
})

t.test('whoever may not approve does not, and neither does an agent', async (t) => {
  const agent = await worker('ask', 'send_money')
  const { id } = (await call(ada, agent, 'message/send', saying(PAY))).result
  const runner = booted.as('ada', { scopes: ['agents:run', 'a2a:write'] })
  const itself = booted.as(agent.id, { type: 'agent', owner: 'ada' })
  t.match((await call(runner, agent, 'message/send', answer(id, 'approve'))).error, {
    code: -32000,
    data: [{ metadata: { type: 'forbidden', code: 'scope_missing' } }]
  })
  t.match((await call(itself, agent, 'message/send', answer(id, 'approve'))).error, {
    data: [{ metadata: { code: 'not_for_agents' } }]
  })
  t.match((await call(ada, agent, 'tasks/cancel', { id })).result.status, { state: 'canceled' })
})

t.test('what a tool asks in the middle of a call is answered by the next message', async (t) => {
  const agent = await worker('allow', 'paint')
  const ask = async () => (await call(ada, agent, 'message/send', saying('/call paint {}'))).result
  const first = await ask()
  t.match(first.status, {
    state: 'input-required',
    message: { parts: [{ text: 'Which colour?' }, { data: { for: 'answer' } }] }
  })
  const told = (await call(ada, agent, 'message/send', answer(first.id, 'blue'))).result
  t.match(told, { status: { state: 'completed' } })
  t.match(told.artifacts[0].parts[0].text, /painted blue/)

  const second = await ask()
  const parts = [{ kind: 'data', data: { colour: 5 } }]
  t.match(
    (await call(ada, agent, 'message/send', answer(second.id, '', { parts }))).error,
    { code: -32602 },
    'no colour'
  )
  const green = [{ kind: 'data', data: { content: { colour: 'green' } } }]
  t.match(
    (await call(ada, agent, 'message/send', answer(second.id, '', { parts: green }))).result.artifacts[0]
      .parts[0].text,
    /painted green/
  )

  const third = await ask()
  t.match(
    (await call(ada, agent, 'message/send', answer(third.id, 'decline'))).result.artifacts[0].parts[0].text,
    /decline/
  )
})
