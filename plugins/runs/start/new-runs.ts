import type { Principal } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Profile } from '../../agents/contract.ts'
import type { Session } from '../../sessions/contract.ts'
import { cleanText } from '../execute/sanitize.ts'
import { actorOf } from '../run-info.ts'
import type { Kept, StoredRun } from '../stores/row.ts'
import type { Reserved } from '../stores/start-reservations.ts'
import type { Start } from '../stores/starts.ts'
import type { Asked } from './asked.ts'
import type { Repetition } from './repetitions.ts'
import { formatOf } from './run-options.ts'

const ASKED_CHARACTERS = 200

/** Where a run comes from, if another one had it started. */
export type Origin = Pick<Kept, 'depth' | 'root' | 'traceparent' | 'trusted'> & {
  /** The run's own, where its caller has recorded it. */
  readonly id?: string
}

/** A run as it is when it begins at once. */
export function newRun(
  by: Principal,
  instance: number,
  asked: Asked,
  { agent }: Profile,
  session: Session | undefined,
  { id = newId('run'), depth, root, traceparent, trusted }: Origin
): StoredRun {
  const { cliTools, cliContext, provenance, attachments, computerRequest } = asked
  const { agentId, model, silentAnswer, options } = asked
  return {
    id,
    project: by.project,
    owner: by.owner,
    sessionId: session?.id ?? newId('session'),
    agentId: agent.id ?? agentId,
    status: 'running',
    instance,
    attempt: 1,
    crashes: 0,
    step: 0,
    seq: 0,
    position: 0,
    actor: actorOf(by),
    request: {
      cliTools,
      cliContext,
      provenance,
      attachments,
      computerRequest,
      ...(model && { model }),
      ...formatOf(asked, agent),
      ...(silentAnswer !== undefined && { silentAnswer }),
      ...(options && { sampling: options }),
      ...(depth && { depth }),
      ...(root !== undefined && { root }),
      ...(trusted && { trusted }),
      ...(traceparent !== undefined && { traceparent })
    },
    createdAt: new Date().toISOString(),
    content: null,
    finishReason: null,
    fallbacks: null,
    usage: null,
    sharedBy: null,
    sharedAt: null,
    error: null,
    citations: null,
    cancelledFor: null,
    endedAt: null,
    messages: null
  }
}

/** All that is to be true with it. */
export function startOf(
  by: Principal,
  maxQueued: number,
  { messages, multitaskStrategy }: Asked,
  run: StoredRun,
  session: Session | undefined,
  repetition: Repetition | undefined,
  reserved: readonly Reserved[]
): Omit<Start, 'chunk'> {
  const { project, id: runId, owner, sessionId, agentId } = run
  const count = messages.length
  const { initiator = by.id } = by
  const about = { runId, sessionId, agentId }
  const started = { name: 'runs.started', by, subject: runId, owner, data: about } as const
  const begins = { project, id: sessionId, owner, agentId, initiator, title: titleOf(messages), count }
  return {
    run,
    messages,
    asked: cleanText((messages.at(-1)?.content ?? '').slice(0, ASKED_CHARACTERS)),
    begins: session ? undefined : begins,
    extends: session && { project, id: sessionId, count },
    appended: messages.map((message, offset) => ({
      ...message,
      id: newId('message'),
      project,
      owner,
      sessionId,
      runId,
      offset
    })),
    most: multitaskStrategy === 'reject' ? 0 : maxQueued,
    requestKey: repetition?.key ?? null,
    requestDigest: repetition?.digest ?? null,
    reserved,
    facts: session ? [started] : [started, sessionCreated(begins, run.createdAt, by)]
  }
}

/** Names a session in lists until it is renamed: the first line of what it began with. */
function titleOf(messages: Asked['messages']): string | null {
  const { content = '' } = messages.find(({ role }) => role === 'user') ?? {}
  const [line = ''] = content
    .slice(0, 2_000)
    .trim()
    .split(/[\r\n]/, 1)
  const letters = [...line.replaceAll(/[\p{C}\s]+/gu, ' ').trim()]
  return (letters.length > 80 ? `${letters.slice(0, 79).join('')}…` : letters.join('')) || null
}

/** A session that begins with a run is announced by it. */
const sessionCreated = (
  { id, agentId, owner, initiator }: NonNullable<Start['begins']>,
  at: string,
  by: Principal
) => {
  const data = { id, agentId, owner, initiator, version: 1, createdAt: at, updatedAt: at }
  return { name: 'sessions.created', by, subject: id, owner, data } as const
}
