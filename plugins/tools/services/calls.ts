import type { Kernel, Paging, Principal } from 'agent-platform'
import { notFound, owned } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { ToolSettings } from '../settings.ts'
import type { CallStore } from '../stores/calls.ts'

export type CallService = ReturnType<typeof createCallService>

const DAY_MS = 86_400_000
/** Longer than any call may take, also one that asks people. */
const LONGEST_MS = 2 * DAY_MS
const BATCH = 1_000

interface Deps extends Pick<Kernel, 'instances'> {
  agents: Agents
  settings: ToolSettings
  callStore: CallStore
}

/** Records of calls, as owners of agents see them. */
export function createCallService({ instances, agents, settings, callStore }: Deps) {
  async function list(
    by: Principal,
    { agentId, runId, toolId, ...page }: Paging & { agentId?: string; runId?: string; toolId?: string }
  ) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    return callStore.list(by, page, {
      ...(agentId !== undefined && { agentId }),
      ...(runId !== undefined && { runId }),
      ...(toolId !== undefined && { toolId })
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

  const before = (milliseconds: number) => new Date(Date.now() - milliseconds)

  /** Calls that died with their process are of unknown outcome. */
  async function settleLost(): Promise<void> {
    await callStore.updateLost(await instances.dead(), before(LONGEST_MS))
  }

  async function removeOld(_: unknown, signal: AbortSignal): Promise<void> {
    const old = before(settings.toolCallDays * DAY_MS)
    while (!signal.aborted && (await callStore.removeOld(old, BATCH)) > 0);
  }

  return { list, read, readOutput, settleLost, removeOld }
}
