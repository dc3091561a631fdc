import type { Kernel, Paging, Principal } from 'agent-platform'
import { notFound, owned } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { CallStore } from '../stores/calls.ts'

export type CallService = ReturnType<typeof createCallService>

/** Longer than any call may take. */
const LOST_MS = 2 * 86_400_000

interface Deps extends Pick<Kernel, 'transaction'> {
  agents: Agents
  callStore: CallStore
}

/** Records of calls, as owners of agents see them. */
export function createCallService({ agents, callStore }: Deps) {
  async function list(
    by: Principal,
    { agentId, runId, ...page }: Paging & { agentId?: string; runId?: string }
  ) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    return callStore.list(by, page, {
      ...(agentId !== undefined && { agentId }),
      ...(runId !== undefined && { runId })
    })
  }

  const read = async (by: Principal, id: string) => owned(by, await callStore.find(id), 'Call', 'read')

  /** 404 for one whose caller was given all. */
  async function readOutput(by: Principal, id: string, { offset = 0, limit = 50_000 }) {
    const { project } = await read(by, id)
    const output = await callStore.findOutput(project, id)
    if (output === null) throw notFound('Output')
    return { text: output.slice(offset, offset + limit).toWellFormed(), offset, total: output.length }
  }

  async function sweep(): Promise<void> {
    await callStore.updateLost(new Date(Date.now() - LOST_MS))
  }

  return { list, read, readOutput, sweep }
}
