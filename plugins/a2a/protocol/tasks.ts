import type { Run } from '../../runs/contract.ts'
import type { State } from '../schemas/tasks.ts'
import type { Dialect } from './dialects.ts'
import type { Part } from './parts.ts'
import { shownPart } from './parts.ts'

/** A message of a task's conversation. */
export interface Said {
  readonly id: string
  readonly role: 'user' | 'agent'
  readonly parts: readonly Part[]
}

/** A task as it is told, in no version's words. */
export interface TaskView {
  readonly id: string
  readonly contextId: string
  readonly state: State
  /** Says what the state is about. */
  readonly says: readonly Part[]
  readonly artifact: readonly Part[]
  /** What was made on the way. */
  readonly files: readonly Part[]
  readonly history: readonly Said[] | undefined
  readonly timestamp: string
}

const ofRuns: Readonly<Record<Run['status'], State>> = {
  queued: 'submitted',
  running: 'working',
  waiting: 'input-required',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'canceled'
}
export const stateOf = (status: Run['status']): State => ofRuns[status]
export const isTerminal = (state: State): boolean => /^(?:completed|failed|canceled)$/.test(state)

/** As 1.0 writes it; the versions before write it as it is. */
export const stateName = (dialect: Dialect, state: State): string =>
  dialect === '1.0' ? `TASK_STATE_${state.toUpperCase().replace('-', '_')}` : state

/** What a run that waits wants to know, for people and for programs. */
export function questionOf(pending: Run['pending']): Part[] {
  return pending.flatMap((call): Part[] =>
    call.for === 'elicitation'
      ? [
          { text: call.message },
          { data: { for: 'answer', elicitationId: call.elicitationId, schema: call.schema } }
        ]
      : [
          { text: `${call.toolName} has to be approved: answer "approve", or "reject" and why` },
          { data: { for: 'approval', callId: call.callId, toolName: call.toolName, args: call.args } }
        ]
  )
}

/** The answer as text, and as data where it is JSON and the client reads that. */
export function artifactOf(content: string | null, takesJson: boolean): Part[] {
  if (!content) return []
  const data = takesJson && /^\s*[[{]/.test(content) ? jsonOf(content) : undefined
  return [{ text: content }, ...(data === undefined ? [] : [{ data }])]
}

function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

export const ARTIFACT = 'answer'
export const FILES = 'files'

/** A message of the agent's about its task. */
export function shownMessage(
  dialect: Dialect,
  { id, contextId }: Pick<TaskView, 'id' | 'contextId'>,
  about: string,
  parts: readonly Part[],
  role: 'agent' | 'user' = 'agent'
): object {
  const shown = parts.map((part) => shownPart(dialect, part))
  if (dialect === '0.2') return { role, parts: shown }
  const of = { messageId: about, taskId: id, contextId, parts: shown }
  return dialect === '0.3' ? { kind: 'message', role, ...of } : { role: `ROLE_${role.toUpperCase()}`, ...of }
}

export function shownStatus(
  dialect: Dialect,
  task: Pick<TaskView, 'id' | 'contextId' | 'state' | 'says'>,
  timestamp?: string
) {
  const { id, state, says } = task
  return {
    state: stateName(dialect, state),
    ...(says.length > 0 && { message: shownMessage(dialect, task, `${id}/${state}`, says) }),
    ...(timestamp && { timestamp })
  }
}

export function shownArtifact(
  dialect: Dialect,
  parts: readonly Part[],
  more: object = {},
  name = ARTIFACT
): object {
  const shown = parts.map((part) => shownPart(dialect, part))
  if (dialect === '0.2') return { name, index: name === ARTIFACT ? 0 : 1, parts: shown, ...more }
  return { artifactId: name, name, parts: shown }
}

/** A whole task as clients of that version read it. */
export function shownTask(dialect: Dialect, task: TaskView): object {
  const { id, contextId, artifact, files, history, timestamp } = task
  const said = history?.map((it) => shownMessage(dialect, task, it.id, it.parts, it.role))
  const artifacts = [
    ...(artifact.length > 0 ? [shownArtifact(dialect, artifact)] : []),
    ...(files.length > 0 ? [shownArtifact(dialect, files, {}, FILES)] : [])
  ]
  return {
    ...(dialect === '0.3' && { kind: 'task' }),
    id,
    ...(dialect === '0.2' ? { sessionId: contextId } : { contextId }),
    status: shownStatus(dialect, task, timestamp),
    ...(artifacts.length > 0 && { artifacts }),
    ...(said && { history: said })
  }
}
