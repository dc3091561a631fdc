import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel, Principal, Usage } from 'agent-platform'
import { isDatabaseAway, sumUsage, unavailable } from 'agent-platform'
import type { CallOrder, InjectedKey } from '../contract.ts'
import type { AssignedTool, Grant } from '../rows.ts'
import type { CallStatus, CallStore, NewCall } from '../stores/calls.ts'
import type { Fitted } from './outputs.ts'
import type { Callable } from './tool-resolver.ts'

export type CallRecords = ReturnType<typeof createCallRecords>

/** A call that needs no record ahead of it, and is over within that time, is recorded at once with its end. */
const SHORT_MS = 10
/** For so long an outcome waits for a database that is away. */
const PATIENCE_MS = 60_000

interface Deps extends Pick<Kernel, 'instances'> {
  callStore: CallStore
}

/** What is to be kept of a call, besides what it was to do. */
interface Circumstances {
  readonly callable: Callable
  readonly access: AssignedTool
  readonly keys: readonly InjectedKey[]
  readonly approved: boolean
}

/** Records of calls: none is made without one, but those that may be made again, of which nothing is lost. */
export function createCallRecords({ instances, callStore }: Deps) {
  async function begin({ id, by, agentId, run }: CallOrder, circumstances: Circumstances) {
    const { callable, access, keys, approved } = circumstances
    const { principal, agent, assignment } = access
    const row: NewCall = {
      project: by.project,
      id,
      owner: ownerOf(by, assignment),
      agentId,
      runId: run?.id ?? null,
      toolId: callable.id,
      toolName: callable.name,
      kind: callable.kind,
      actor: { id: by.initiator ?? by.id, type: by.type },
      grants: { principal: grantOf(principal), agent: grantOf(agent) },
      keyIds: keys.map(({ keyId }) => keyId),
      approved,
      instance: instances.id() ?? null
    }
    let written: Promise<void> | undefined
    const write = () => (written ??= callStore.insert(row))
    const isHarmless = callable.kind === 'static' && callable.idempotent
    const timer = isHarmless ? setTimeout(() => write().catch(() => undefined), SHORT_MS) : undefined
    if (!isHarmless) await write()
    const begun = performance.now()
    const usage: Usage[] = []

    /** Waits for the database; 503 `outcome_unknown` where it stays away for too long. */
    async function end(status: CallStatus, { size, kept }: Fitted): Promise<void> {
      clearTimeout(timer)
      const isNew = !(await written?.then(() => true).catch(() => false))
      const { toolId, toolName, kind, runId, owner } = row
      const milliseconds = Math.round(performance.now() - begun)
      const isError = status !== 'succeeded'
      const data = { callId: id, toolId, toolName, kind, agentId, runId, isError, milliseconds, size }
      const fact = { name: 'tools.called', by, subject: agentId, owner, data } as const
      const ended = { status, size, milliseconds, usage: sumUsage(usage), output: kept }
      await surely(() => callStore.settle({ ...row, ...ended, isNew }, fact))
    }

    async function surely(settle: () => Promise<void>): Promise<void> {
      const until = performance.now() + PATIENCE_MS
      for (let pause = 100; ; pause = Math.min(2 * pause, 2_000))
        try {
          return await settle()
        } catch (error) {
          if (!isDatabaseAway(error) || performance.now() > until)
            throw unavailable(`${callable.name} was called, and the outcome of the call is unknown`, {
              code: 'outcome_unknown',
              cause: error
            })
          await delay(pause)
        }
    }

    return { end, used: (more: readonly Usage[]) => void usage.push(...more) }
  }

  return { begin }
}

const grantOf = (grant: Grant | null) => grant && { permissionId: null, ...grant }

/** What a service calls for an initiator is the initiator's, as such runs are: other initiators see nothing of it. */
const ownerOf = ({ initiator }: Principal, assignment: AssignedTool['assignment']): string =>
  initiator ?? assignment.owner
