// budget: 8 s, because each case is a process
// tier: whole
import { acceptedContent, inputRequired } from '@modelcontextprotocol/server'
import type { Test } from 'tap'
import t from 'tap'
import { caller, connect } from '../../plugins/mcp/test/testbed.ts'
import { schemaOf, toolServer } from '../../plugins/mcp/test/tool-server-fixture.ts'
import { local, saying } from '../../plugins/runs/test/testbed.ts'
import { read } from '../runs/reader.ts'
import { scene } from './scene.ts'

const STATE = 'state-0123456789'
const question = (what: string) =>
  inputRequired.elicit({
    message: `${what}?`,
    requestedSchema: { type: 'object', properties: { [what]: { type: 'string' } }, required: [what] }
  })

t.test('what a tool server asks outlives the process that called it', async (t) => {
  const { home, ada, another } = await scene(t)
  const booked: unknown[] = []
  const waiting: (() => void)[] = []
  let held: Promise<void> | undefined
  const { url } = await toolServer(t, 'modern', (server) => {
    server.registerTool(
      'book',
      { description: 'Books', inputSchema: schemaOf({}) },
      async (_, { mcpReq: { inputResponses, requestState } }) => {
        const given = inputResponses && { ...acceptedContent(inputResponses, 'who') }
        if (!given)
          return inputRequired({
            inputRequests: { who: question('who'), when: question('when') },
            requestState: STATE
          })
        booked.push({ ...given, ...acceptedContent(inputResponses, 'when'), state: requestState() })
        for (const wake of waiting.splice(0)) wake()
        await held
        return { content: [{ type: 'text', text: `Booked for ${given.who}` }] }
      }
    )
  })
  const { tools } = await connect(ada, { name: 'travel', url })
  const agent = await ada.agent(local)
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: tools[0]?.id })
  const { knex } = home.platform

  async function begin(t: Test) {
    const victim = await another()
    const elsewhere = { url: home.url, client: ada }
    const reader = await read(t, victim, { body: saying(agent, '/call travel__book {}'), elsewhere })
    const asked = (name: string) =>
      reader.until((event) => event.type === 'elicitation_request' && String(event.message).includes(name))
    const answer = async (name: string, value: string) => {
      const { elicitationId } = (await asked(name)) as unknown as { elicitationId: string }
      const path = `/v1/agents/runs/${reader.runId}/elicitations/${elicitationId}`
      t.match(await ada.post(path, { action: 'accept', content: { [name]: value } }), { status: 200 })
    }
    return { victim, reader, asked, answer }
  }

  for (const [isEarly, what] of [
    [true, 'answered while no process has the run'],
    [false, 'answered once another process has it']
  ] as const)
    t.test(what, async (t) => {
      const { victim, reader, asked, answer } = await begin(t)
      await asked('who')
      t.notMatch(JSON.stringify(await knex('runs.question').select()), STATE, 'the state is sealed')
      await victim.kill()
      const resumed = reader.until(({ status }) => status === 'resumed')
      if (!isEarly) await resumed
      await answer('who', 'Ada')
      await answer('when', 'May')
      const events = await reader.over
      t.match(events.at(-1), { type: 'final', content: /Booked for Ada/ })
      t.equal(events.filter(({ type }) => type === 'elicitation_request').length, 2, 'each is asked once')
      t.same(booked.splice(0), [{ who: 'Ada', when: 'May', state: STATE }], 'and it is booked once')
      t.match((await ada.get(`/v1/agents/runs/${reader.runId}`)).body.data, {
        status: 'completed',
        pending: []
      })
      t.same(await knex('jobs.wait').where({ subject: reader.runId, settledAt: null }), [])
    })

  t.test('once it was told the answers it is not called again', async (t) => {
    const { victim, reader, answer } = await begin(t)
    const { promise, resolve: release } = Promise.withResolvers<void>()
    held = promise
    const called = new Promise<void>((resolve) => waiting.push(resolve))
    await answer('who', 'Ada')
    await answer('when', 'May')
    await called
    await victim.kill()
    release()
    held = undefined
    t.match((await reader.over).at(-1), { type: 'final', content: /outcome of this call is unknown/ })
    t.equal(booked.splice(0).length, 1)
  })

  t.test('one that nobody follows is declined at once', async (t) => {
    const call = await caller(ada, tools)
    t.match((await call('book')).body.data, { isError: false, output: /Booked for undefined/ })
  })
})
