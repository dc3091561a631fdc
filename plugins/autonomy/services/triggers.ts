import type { Kernel, Principal } from 'agent-platform'
import { digestOf, invalid } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { Beat } from '../schemas.ts'
import type { BeatStore } from '../stores/beats.ts'
import type { RunStarts } from './run-starts.ts'

export type TriggerService = ReturnType<typeof createTriggerService>

interface Deps extends Pick<Kernel, 'transaction'> {
  agents: Agents
  runs: Runs
  sessions: Sessions
  beatStore: BeatStore
  runStarts: RunStarts
}
interface Options {
  readonly sessionId?: string | undefined
  /** Of the request, if it has one. */
  readonly key?: string | undefined
}

const INTRODUCTION =
  'Something outside has triggered you: nobody has written this. What it sent follows. Do with it what your instructions ' +
  'say of such events.'
const KEY = /^[\x21-\x7e]{1,255}$/

/** Payloads from outside. */
export function createTriggerService({ transaction, agents, runs, sessions, beatStore, runStarts }: Deps) {
  /** As the principal, as if it ran the agent; `repeated`: the same request had come before. */
  async function trigger(
    by: Principal,
    agentId: string,
    payload: unknown,
    { sessionId, key }: Options
  ): Promise<{ beat: Beat; repeated: boolean }> {
    const { project } = await agents.owned(by, agentId, 'run')
    if (payload == null) throw invalid('', 'The body must be the payload, as JSON')
    if (sessionId !== undefined) await checkSession(by, agentId, sessionId)
    const run = await runs
      .start(by, {
        agentId,
        messages: [
          { role: 'user', content: INTRODUCTION },
          { role: 'user', content: toText(payload), untrusted: true }
        ],
        ...(sessionId !== undefined && { sessionId }),
        ...(key !== undefined && { key: keyOf(agentId, key) })
      })
      .catch(renamed)
    const made = { project, owner: by.owner, agentId, trigger: 'external', status: 'running' } as const
    const beat = await transaction((trx) =>
      runStarts.insert(trx, by, { ...made, runId: run.id, sessionId: run.sessionId })
    )
    if (beat) await runStarts.noteEnd(by, beat)
    return { beat: (await beatStore.findOfRun(project, run.id)) as Beat, repeated: !beat }
  }

  async function checkSession(by: Principal, agentId: string, sessionId: string): Promise<void> {
    const session = await sessions.owned(by, sessionId, 'change', 'sessionId')
    if (session.agentId !== agentId)
      throw invalid('sessionId', 'The session belongs to another agent', 'session_of_another_agent')
  }

  return { trigger }
}

const toText = (payload: unknown) => (typeof payload === 'string' ? payload : JSON.stringify(payload))

/** The same key at another route or agent is another one. */
function keyOf(agentId: string, key: string): string {
  if (!KEY.test(key))
    throw invalid('idempotency-key', 'Idempotency-Key must be 1 to 255 visible ASCII characters')
  return `trigger/${digestOf([agentId, key])}`
}

/** What is wrong with the message is wrong with the body. */
function renamed(error: unknown): never {
  const { kind, param, message, code } = error as Partial<
    Record<'kind' | 'param' | 'message' | 'code', string>
  >
  if (kind === 'invalid' && param?.startsWith('/messages'))
    throw invalid('', (message ?? '').replaceAll(param, 'The body'), code)
  throw error
}
