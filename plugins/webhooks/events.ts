import { OrNull } from 'agent-platform'
import type { TObject, TProperties } from 'typebox'
import { Type } from 'typebox'

/** What a receiver may learn of a fact: these fields of it, and no others. */
interface PublicEvent {
  readonly summary: string
  readonly data: TObject
}

const Id = Type.String()
const usage = Type.Object({
  inputTokens: Type.Integer(),
  cachedTokens: Type.Integer(),
  outputTokens: Type.Integer()
})
const run = { runId: Id, sessionId: Id, agentId: Id }
const ended = { ...run, modelProvider: OrNull(Type.String()), modelId: OrNull(Type.String()), usage }
const session = { id: Id, agentId: Id, initiator: Type.String() }
const agent = { id: Id, name: Type.String(), version: Type.Integer() }
const task = {
  taskId: Id,
  taskRunId: Id,
  agentId: OrNull(Id),
  runId: OrNull(Id),
  executionId: OrNull(Id)
}
const execution = { executionId: Id, workflowId: Id, workflowVersion: Type.Integer() }
const code = { code: Type.String() }
const file = {
  id: Id,
  name: Type.String(),
  mediaType: Type.String(),
  size: Type.Integer(),
  sha256: Type.String()
}
const about = <Fields extends TProperties>(summary: string, fields: Fields) => ({
  summary,
  data: Type.Object(fields)
})

/** The facts that are public, by name. Ids, names and numbers: never what was said, an address or a setting. */
export const publicEvents = {
  'agents.created': about('An agent was made', agent),
  'agents.updated': about('An agent was changed', agent),
  'agents.deleted': about('An agent was deleted', { id: Id }),
  'sessions.created': about('A session began', session),
  'sessions.deleted': about('A session was deleted', { id: Id, agentId: Id }),
  'runs.started': about('A run began', run),
  'runs.suspended': about('A run waits for a result, an approval or an answer', run),
  'runs.resumed': about('A run that waited goes on', run),
  'runs.completed': about('A run has completed', ended),
  'runs.failed': about('A run has failed', { ...ended, ...code }),
  'runs.cancelled': about('A run was cancelled', ended),
  'tasks.started': about('A run of a task began', task),
  'tasks.completed': about('A run of a task has completed', task),
  'tasks.failed': about('A run of a task has failed', { ...task, ...code }),
  'tasks.cancelled': about('A run of a task was cancelled', task),
  'workflows.started': about('An execution of a workflow began', execution),
  'workflows.suspended': about('An execution waits for a decision, or for something from outside', execution),
  'workflows.resumed': about('An execution that waited goes on', execution),
  'workflows.completed': about('An execution of a workflow has completed', execution),
  'workflows.failed': about('An execution of a workflow has failed', { ...execution, ...code }),
  'workflows.cancelled': about('An execution of a workflow was cancelled', execution),
  'files.uploaded': about('A file was stored', file),
  'files.deleted': about('A file was deleted', { id: Id })
} as const satisfies Readonly<Record<string, PublicEvent>>

/** Sent when it is asked for. */
export const PING = 'webhooks.ping'

export type PublicName = keyof typeof publicEvents
export const publicNames = Object.keys(publicEvents) as PublicName[]

/** Of what a fact says, what its schema names. */
export function publicData(name: PublicName, data: unknown): Record<string, unknown> {
  const given = (data ?? {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.keys(publicEvents[name].data.properties).map((field) => [field, given[field] ?? null])
  )
}

/** Whether a webhook wants that: `*`, all of an area by `runs.*`, or a name. */
export const isWanted = (types: readonly string[], name: string): boolean =>
  types.some(
    (type) => type === '*' || type === name || (type.endsWith('.*') && name.startsWith(type.slice(0, -1)))
  )

/** Whether there is any event that this may mean. */
export const isKnownType = (type: string): boolean => publicNames.some((name) => isWanted([type], name))
