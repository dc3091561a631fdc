import type { App, Principal } from 'agent-platform'
import { pageOf } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Invocation } from '../contract.ts'
import { callOfAgent, callOfRuntime, listCalls, manifest, readCall, readOutput } from '../schemas/calls.ts'
import type { CallService } from '../services/calls.ts'
import type { Invocations } from '../services/invocations.ts'

interface Deps {
  agents: Agents
  callService: CallService
  invocations: Invocations
}

export function callRoutes(app: App, { agents, callService, invocations }: Deps) {
  app.post(
    '/agents/tools',
    { schema: callOfAgent, config: { scope: ['agents:write'] } },
    async ({ principal: by, body }) => {
      const { agentId, toolName, args } = body
      await agents.owned(by, agentId, 'run', '/agentId')
      return { data: await invocations.invoke(asked(by, { agentId, toolName, args })) }
    }
  )

  app.get(
    '/runtime/agents/:agentId/tools',
    { schema: manifest },
    async ({ principal: by, params, query }) => {
      await agents.owned(by, params.agentId, 'read')
      return pageOf('offered', await invocations.offer(by, params.agentId), query)
    }
  )

  app.post(
    '/runtime/agents/:agentId/tools/invoke',
    { schema: callOfRuntime },
    async ({ principal: by, params: { agentId }, body: { toolName, args } }) => {
      await agents.owned(by, agentId, 'run')
      return { data: await invocations.invoke(asked(by, { agentId, toolName, args })) }
    }
  )

  app.get('/tools/calls', { schema: listCalls }, ({ principal, query }) => callService.list(principal, query))

  app.get('/tools/calls/:callId', { schema: readCall }, async ({ principal, params }) => {
    return { data: await callService.read(principal, params.callId) }
  })

  app.get('/tools/calls/:callId/output', { schema: readOutput }, async ({ principal, params, query }) => {
    return { data: await callService.readOutput(principal, params.callId, query) }
  })
}

/** A person says what is to be called; of a program nobody knows what it has that from. */
const asked = (by: Principal, call: Pick<Invocation, 'agentId' | 'toolName' | 'args'>): Invocation => ({
  by,
  ...call,
  untrusted: by.type !== 'user'
})
