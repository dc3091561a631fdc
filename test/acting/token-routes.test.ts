// budget: 9 s, because tasks, workflows and spaces begin their runs by jobs
import { narrow } from 'agent-platform-client'
import t from 'tap'
import { isEnded as hasEnded, makeTask, runOnce, taskOnce } from '../../plugins/tasks/test/testbed.ts'
import { execute, isLast, once, stepOf, transform, workflowOf } from '../../plugins/workflows/test/testbed.ts'
import { boot } from '../boot.ts'
import type { Client } from '../client.ts'
import { createClient } from '../client.ts'
import { refused } from '../http/refused.ts'
import { until } from '../packs/stage.ts'

const names = 'access packs agents outgoing models sessions runs tools toolbox tasks workflows spaces openai'
const booted = await boot(t, {
  packs: [],
  deployment: {
    packs: {
      ...Object.fromEntries(names.split(' ').map((name) => [name, { enabled: true }])),
      jobs: { enabled: true, settings: { pollSeconds: 0.1, lostAfterSeconds: 3, drainSeconds: 1 } }
    }
  }
})
const { knex } = booted.platform
const ada = booted.as('ada')
const key = await ada.key()
const token = { code: 'token_refused' }
const local = { modelProvider: 'local' }
const holding = async (restrictions: Parameters<typeof narrow>[1], of = key) =>
  createClient(booted.url, 'ada', await narrow(of, restrictions))
async function acting(...tools: string[]) {
  const agent = await ada.agent(local)
  for (const toolId of tools) {
    const { status, text } = await ada.post(`/v1/agents/${agent.id}/tools`, { toolId })
    if (status !== 201) throw new Error(text)
  }
  return agent
}
const clock = '/call current_time {}'
const denied = /no tool current_time/
const time = /20\d\d-/
const [agent, other] = [await acting('current_time', 'calculator'), await acting('current_time')]

/** What a run of a task said, which was executed by that one. */
async function executed(by: Client, id: string) {
  const { status, text } = await by.post(`/v1/tasks/${id}/execute`)
  if (status !== 201) throw new Error(text)
  return runOnce(ada, id, hasEnded)
}

t.test('what a token makes of tasks is done with what it leaves', async (t) => {
  const holder = await holding({ tools: ['calculator'], agents: [agent.id] })
  const order = { title: clock, agentId: agent.id }
  refused(t, await holder.post('/v1/tasks', { ...order, agentId: other.id }), 403, {
    ...token,
    param: '/agentId'
  })
  const theirs = await makeTask(ada, { ...order, agentId: other.id })
  refused(t, await holder.get(`/v1/tasks/${theirs.id}`), 403, token)
  refused(t, await holder.post(`/v1/tasks/${theirs.id}/execute`), 403, token)

  const made = await makeTask(holder, order)
  t.notMatch(JSON.stringify(made), /delegation|apn_/)
  t.match((await executed(holder, made.id)).output, { content: denied })
  t.match((await executed(ada, made.id)).output, { content: denied }, 'also where its key executes it')
  await ada.patch(`/v1/tasks/${made.id}`, { description: 'Now' })
  t.match((await executed(ada, made.id)).output, { content: denied }, 'and has said something more of it')

  const own = await makeTask(ada, order)
  t.match((await executed(ada, own.id)).output, { content: time })
  t.match((await executed(holder, own.id)).output, { content: denied })
  t.match((await executed(ada, own.id)).output, { content: time })
  const both = await holding({ tools: ['current_time'] })
  t.match((await executed(both, made.id)).output, { content: denied }, 'two tokens leave what both leave')
  t.equal((await both.patch(`/v1/tasks/${own.id}`, { description: 'Then' })).status, 200)
  t.match((await executed(holder, own.id)).output, { content: denied })
  t.match((await executed(ada, own.id)).output, { content: time })
  const { delegation } = await knex('tasks.task').where({ id: own.id }).first('delegation')
  t.match(delegation.attenuation.tools, [['current_time']], 'it was changed with a token')
})

t.test('a task ends with the token that made it, and with the key of that', async (t) => {
  const soon = { cronExpression: '* * * * *', isRecurring: true }
  const holder = await holding({ expires: new Date(Date.now() + 3_600_000) })
  const over = await makeTask(holder, { title: clock, agentId: agent.id, ...soon })
  await knex('tasks.task')
    .where({ id: over.id })
    .update({ delegation: knex.raw(`jsonb_set(delegation, '{attenuation,endsAt}', '1')`) })
  t.match(await executed(ada, over.id), { status: 'failed', error: { code: 'token_expired' } })
  t.match(await taskOnce(ada, over.id, ({ nextRunAt }) => nextRunAt === null), { status: 'failed' })

  const { body } = await ada.post('/v1/auth/api-keys', { name: 'for an errand' })
  const errand = await holding({}, body.data.key)
  const task = await makeTask(errand, { title: clock, agentId: agent.id, ...soon })
  t.match((await executed(ada, task.id)).output, { content: time })
  t.equal((await ada.delete(`/v1/auth/api-keys/${body.data.id}`)).status, 200)
  t.match(await executed(ada, task.id), { status: 'failed', error: { code: 'token_revoked' } })
})

t.test('steps of workflows are done with what the token leaves', async (t) => {
  const asking = (id: string, { id: agentId }: { id: string }) => ({
    id,
    type: 'agent',
    config: { agentId, prompt: clock }
  })
  const inner = await workflowOf(ada, [asking('ask', agent)])
  const nested = {
    id: 'nested',
    type: 'workflow',
    config: { workflowId: inner, input: {} },
    dependsOn: ['ask']
  }
  const workflow = await workflowOf(ada, [asking('ask', agent), nested], {
    output: '{{steps.ask.output}} {{steps.nested.output.ask}}'
  })
  const holder = await holding({ tools: ['calculator'] })
  const done = await once({ booted }, ada, await execute(holder, workflow))
  t.match(stepOf(done, 'ask'), { output: denied })
  t.equal((await once({ booted }, ada, await execute(ada, workflow))).status, 'completed')
  const { rows } = await knex.raw(
    `select r.actor->'attenuation'->'tools' as tools from runs.run r join workflows.step s on s.ref = r.id
      join workflows.execution x on x.id = s."executionId" where x."rootId" = ?`,
    [done.id]
  )
  t.same(rows, [{ tools: [['calculator']] }, { tools: [['calculator']] }], 'also of those that it executes')

  const tool = { id: 'call', type: 'tool', config: { agentId: agent.id, tool: 'current_time', args: {} } }
  const calling = await workflowOf(ada, [tool])
  t.match(await once({ booted }, ada, await execute(holder, calling)), {
    status: 'failed',
    error: { code: 'token_refused' }
  })
  const narrowed = await holding({ agents: [agent.id] })
  for (const path of ['', `/${workflow}`, `/${workflow}/executions/${done.id}`])
    refused(t, await narrowed.get(`/v1/workflows${path}`), 403, token, path)
  refused(t, await narrowed.post(`/v1/workflows/${workflow}/execute`, {}), 403, token)
  refused(
    t,
    await narrowed.post('/v1/tasks', {
      title: 'x',
      executionMode: 'workflow',
      workflowId: workflow,
      agentId: agent.id
    }),
    403,
    token
  )
})

t.test('an execution ends with its token, and a token decides nothing in it', async (t) => {
  const approval = { id: 'ask', type: 'approval', config: { message: 'Go on?' } }
  const after = {
    id: 'call',
    type: 'tool',
    dependsOn: ['ask'],
    config: { agentId: agent.id, tool: 'current_time', args: {} }
  }
  const workflow = await workflowOf(ada, [approval, after])
  const holder = await holding({ expires: new Date(Date.now() + 3_600_000) })
  const begun = await execute(holder, workflow)
  await once({ booted }, ada, begun, ({ type, status }) => type === 'status' && status === 'waiting')
  refused(t, await holder.post(`${begun.path}/approve`, {}), 403, token)
  await knex('workflows.execution')
    .where({ id: begun.id })
    .update({ delegation: knex.raw(`jsonb_set(delegation, '{attenuation,endsAt}', '1')`) })
  t.equal((await ada.post(`${begun.path}/approve`, {})).status, 200)
  t.match(await once({ booted }, ada, begun, isLast), { status: 'failed', error: { code: 'token_expired' } })

  const definition = { steps: [transform('one', 1)] }
  refused(t, await holder.post('/v1/workflows', { name: 'Later', definition }), 403, token)
  refused(t, await holder.put(`/v1/workflows/${workflow}`, { definition }), 403, token)
  refused(t, await holder.post(`/v1/workflows/${workflow}/webhook-token`, {}), 403, token)
  refused(t, await holder.post('/v1/auth/api-keys', { name: 'wider' }), 403, token)
})

t.test('agents in a space answer a token with what it leaves', async (t) => {
  const make = async (by: Client, path: string, body: object) => {
    const reply = await by.post(path, body)
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body.data
  }
  const { id: spaceId } = await make(ada, '/v1/spaces', { name: 'Harbour' })
  const at = `/v1/spaces/${spaceId}`
  const bring = (it: { id: string }, name: string) => ({ subjectType: 'agent', subjectId: it.id, name })
  await make(ada, `${at}/members`, bring(agent, 'clerk'))
  const holder = await holding({ tools: ['calculator'] })
  refused(t, await holder.post(`${at}/members`, bring(other, 'other')), 403, token)
  refused(t, await holder.post(`${at}/rtc-ticket`, {}), 403, token)
  refused(t, await (await holding({ agents: [agent.id] })).get(`${at}/messages`), 403, token)
  const answerTo = async (by: Client) => {
    const { id } = await make(by, `${at}/messages`, { content: `@clerk\n${clock}` })
    const found = await until(
      async () => (await ada.get(`${at}/messages?replyToId=${id}`)).body.data[0],
      (it) => it !== undefined
    )
    return found.content as string
  }
  t.match(await answerTo(holder), denied)
  t.match(await answerTo(ada), time)
  const kept = await knex('spaces.message').where({ spaceId }).orderBy('id').select('delegation')
  t.same(
    kept.map(({ delegation }) => delegation?.attenuation.tools ?? null),
    [[['calculator']], [['calculator']], null, null],
    'also what is an answer to it'
  )
})

t.test('the agents of OpenAI’s API are those that a token leaves', async (t) => {
  const holder = await holding({ tools: ['calculator'], agents: [agent.id] })
  const messages = [{ role: 'user', content: clock }]
  const complete = (model: string, fields: object = {}) =>
    holder.post('/openai/v1/chat/completions', { model, messages, ...fields })
  t.match((await complete(agent.id)).body, { choices: [{ message: { content: denied } }] })
  t.match(await complete(other.id), {
    status: 403,
    body: { error: { code: 'token_refused', param: 'model' } }
  })
  const dig = { type: 'function', function: { name: 'dig', parameters: { type: 'object' } } }
  t.match(await complete(agent.id, { tools: [dig] }), {
    status: 403,
    body: { error: { code: 'token_refused' } }
  })
  t.match((await holder.get('/openai/v1/models')).body.data, [{ id: agent.id }])
  const theirs = await ada.post('/openai/v1/responses', { model: other.id, input: 'Hello' })
  t.equal(theirs.status, 200)
  const at = `/openai/v1/responses/${theirs.body.id}`
  t.match(await holder.get(at), { status: 403 })
  t.match(await holder.delete(at), { status: 403 })
  const after = { model: agent.id, input: 'And?', previous_response_id: theirs.body.id }
  t.match(await holder.post('/openai/v1/responses', after), { status: 403 })
  const url = 'https://example.com/a.txt'
  const content = [{ type: 'input_image', image_url: url }]
  const given = { model: agent.id, input: [{ role: 'user', content }] }
  t.match(await holder.post('/openai/v1/responses', given), {
    status: 403,
    body: { error: { code: 'token_refused' } }
  })
})

t.test('what is recorded of its runs is not for a token to switch off', async (t) => {
  const messages = [{ role: 'user', content: 'Hello' }]
  const provenance = { mode: 'off' }
  refused(
    t,
    await (await holding({})).post('/v1/agents/run', { agentId: agent.id, messages, provenance }),
    403,
    {
      ...token,
      param: '/provenance/mode'
    }
  )
})
