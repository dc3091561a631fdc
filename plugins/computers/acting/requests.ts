import type { Kernel } from 'agent-platform'
import { conflict } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { RequestPart, Tool, ToolSource } from '../../runs/contract.ts'
import type { Waking } from '../services/waking.ts'
import type { ComputerStore } from '../stores/computers.ts'
import type { RequestStore } from '../stores/requests.ts'
import { descriptions, parameters } from './descriptions.ts'
import type { ComputerTools, ToolName } from './tools.ts'

interface Deps extends Pick<Kernel, 'log'> {
  agents: Agents
  waking: Waking
  computerStore: ComputerStore
  requestStore: RequestStore
  computerTools: ComputerTools
}

/** Runs that ask for the computer of their agent: they get its tools, and it wakes meanwhile. */
export function createComputerRequests({
  log,
  agents,
  waking,
  computerStore,
  requestStore,
  computerTools
}: Deps) {
  const param = '/computerRequest'

  const part: RequestPart = {
    /** 403 for one who may run the agent, but not change it: the tools are given by who asks, and not by its owner. */
    async accept(run) {
      await agents.owned(run.by, run.agentId, 'change', param)
      const row = await computerStore.find(run)
      if (!row?.enabled) throw conflict('The computer of the agent is off', { code: 'computer_off', param })
      const { project, owner, agentId, id } = run
      await requestStore.insert({ project, owner, agentId, id })
      waking
        .wake(row, run.by)
        .catch((error) => log.warn({ err: error, run: id }, 'The computer of a run did not wake'))
      return undefined
    }
  }

  const tools: ToolSource = {
    async offer(run) {
      if (!(await requestStore.find(run.project, run.id))) return []
      return (Object.keys(descriptions) as ToolName[]).map(
        (name): Tool => ({
          name,
          description: descriptions[name],
          parameters: parameters[name],
          idempotent: name === 'computer_read',
          call: ({ run: { by, agentId }, args, signal }) =>
            computerTools.act(name, { by, agentId, args, signal })
        })
      )
    }
  }

  return { part, tools }
}
