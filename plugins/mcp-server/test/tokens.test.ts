import { narrow } from 'agent-platform-client'
import t from 'tap'
import { createClient } from '../../../test/client.ts'
import type { StaticTool } from '../../tools/contract.ts'
import type { Era } from './testbed.ts'
import { connect, local, stage } from './testbed.ts'

const prop = (fields: Partial<StaticTool>): StaticTool => ({
  description: 'A prop',
  parameters: { type: 'object' },
  idempotent: true,
  call: async () => ({ output: 'done' }),
  ...fields
})
const tools = {
  safe: prop({ tokens: 'hosts' }),
  calling: prop({ tokens: 'calls' }),
  unsafe: prop({})
}
const { booted, ada } = await stage(t, { tools })
const [agent, other] = [await ada.agent({ ...local, name: 'Ada' }), await ada.agent(local)]
for (const toolId of Object.keys(tools)) {
  const reply = await ada.post(`/v1/agents/${agent.id}/tools`, { toolId })
  if (reply.status !== 201) throw new Error(`Not assigned: ${reply.text}`)
}
const holding = async (restrictions: Parameters<typeof narrow>[1]) =>
  createClient(booted.url, 'holder', await narrow(await ada.key(), restrictions))
const query = `?agentId=${agent.id}`
const endOf = ({ id }: { id: string }) => id.slice('agent_'.length)
const textOf = ({ content }: { content?: unknown }) => (content as { text: string }[])[0]?.text

for (const era of ['sessions', 'stateless'] satisfies Era[])
  t.test(`a client with a token has what that leaves: ${era}`, async (t) => {
    const namesOf = async (restrictions: Parameters<typeof narrow>[1]) => {
      const mcp = await connect(t, booted, await holding(restrictions), era, query)
      const names = (await mcp.listTools()).tools.map(({ name }) => name)
      return { mcp, names, own: names.filter((name) => name in tools).sort() }
    }
    const { mcp, names, own } = await namesOf({ agents: [agent.id] })
    t.same(own, ['calling', 'safe'], 'those that are known to be safe')
    const agents = names.filter((name) => name.startsWith('agent_'))
    t.match(agents, [new RegExp(`${endOf(agent)}$`)])
    t.equal(agents.length, 1)
    t.equal(textOf(await mcp.callTool({ name: 'safe', arguments: {} })), 'done')
    t.match(await mcp.callTool({ name: 'unsafe', arguments: {} }), { isError: true })
    const said = { name: agents[0] as string, arguments: { message: '/say Ahoy' } }
    t.equal(textOf(await mcp.callTool(said)), 'Ahoy')
    const others = { name: `agent_${endOf(other)}`, arguments: { message: 'Hello' } }
    t.match(await mcp.callTool(others), {
      isError: true,
      content: [{ text: /This token does not give access to this agent/ }]
    })

    t.same((await namesOf({ hosts: ['example.com'] })).own, ['safe'])
    t.same((await namesOf({ tools: ['calling'] })).own, ['calling'])
    const spending = (await namesOf({ spend: '5' })).mcp
    t.match(await spending.callTool({ name: 'safe', arguments: {} }), {
      isError: true,
      content: [{ text: /only within a run/ }]
    })
    await t.rejects(connect(t, booted, await holding({ agents: [other.id] }), era, query))
    await t.rejects(connect(t, booted, await holding({ scopes: ['agents:run'] }), era, query))
  })
