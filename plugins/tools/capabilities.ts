import { Closed, Page, Paging, pageOf } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Agents } from '../agents/contract.ts'
import type { Capability } from '../ui-plugins/contract.ts'
import type { Invocations } from './services/invocations.ts'

interface Deps {
  agents: Agents
  invocations: Invocations
}

const narrows = { to: 'agents', at: '/agentId' } as const
const agentId = Type.String({ maxLength: 128 })
const ListParams = Closed({ agentId, ...Paging })
const InvokeParams = Closed({
  agentId,
  toolName: Type.String({ minLength: 1, maxLength: 128, description: 'Name or id' }),
  args: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'As its parameters say' }))
})
const Tool = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema' }),
  idempotent: Type.Boolean(),
  policy: Type.Enum(['allow', 'ask'], { description: '`ask`: for runs alone, in which a person approves it' })
})

export const listCapability = ({ agents, invocations }: Deps): Capability<Static<typeof ListParams>> => ({
  title: 'List tools of an agent',
  description: 'The tools that an agent may call now, in pages',
  risk: 'low',
  reaches: 'Reads which tools your agents have',
  narrows,
  params: ListParams,
  result: Page(Tool),
  idempotent: true,
  async call(by, { agentId, ...page }) {
    await agents.owned(by, agentId, 'read', '/agentId')
    return pageOf('offered', await invocations.offer(by, agentId), page)
  }
})

/** A tool that needs an approval is refused: there is no person who could give it to an app. */
export const invokeCapability = ({ agents, invocations }: Deps): Capability<Static<typeof InvokeParams>> => ({
  title: 'Call a tool of an agent',
  description:
    'Calls a tool that an agent was assigned; 403 `approval_required` for one that has to be approved',
  risk: 'high',
  reaches: 'Calls the tools of your agents in your name, with the keys that are saved for them',
  narrows,
  scope: ['agents:write'],
  params: InvokeParams,
  result: Type.Object({ callId: Type.String(), output: Type.Unknown(), isError: Type.Boolean() }),
  async call(by, { agentId, toolName, args }, { depth, signal }) {
    await agents.owned(by, agentId, 'run', '/agentId')
    return invocations.invoke({ by, agentId, toolName, args, depth, signal })
  }
})
