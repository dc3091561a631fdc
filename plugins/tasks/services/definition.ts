import type { Owned, Principal, Verb } from 'agent-platform'
import { depthOf, invalid, unavailable } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { Workflows } from '../../workflows/contract.ts'
import type { NewTask, Task } from '../schemas/tasks.ts'

export type DefinitionCheck = ReturnType<typeof createDefinitionCheck>

/** What callers say of a task, whole. */
export type Definition = Required<NewTask>

interface Deps {
  agents: Agents
  sessions: Sessions
  jobs: Jobs
  workflows: Workflows | undefined
}

const INPUT_CHARACTERS = 65_536
const INPUT_DEPTH = 32
const params = { cron: '/cronExpression', timezone: '/timezone' }

export const definitionOf = (task: NewTask): Definition => ({
  agentId: null,
  sessionId: null,
  description: null,
  executionMode: 'single',
  workflowId: null,
  input: null,
  cronExpression: null,
  isRecurring: false,
  timezone: null,
  retry: null,
  ...task,
  scheduledFor: task.scheduledFor ? momentOf(task.scheduledFor) : null
})

/** As the record has it, so that two ways of writing one moment are no edit. */
function momentOf(text: string): string {
  const moment = new Date(text)
  const year = moment.getUTCFullYear()
  // PostgreSQL and ISO 8601 go further; neither clients nor clocks do.
  if (!(year >= 1970 && year <= 9999))
    throw invalid('/scheduledFor', '/scheduledFor must be a moment of this era')
  return moment.toISOString()
}

/** What a task has to be, beside the shapes of its fields. */
export function createDefinitionCheck({ agents, sessions, jobs, workflows }: Deps) {
  function check(task: Definition): void {
    const { executionMode: mode, cronExpression, timezone, input } = task
    const need = (field: 'agentId' | 'sessionId' | 'workflowId' | 'cronExpression', why: string) => {
      if (task[field] === null) throw invalid(`/${field}`, `${why} needs ${field}`)
    }
    const forbid = (field: 'sessionId' | 'workflowId' | 'scheduledFor', why: string) => {
      if (task[field] !== null) throw invalid(`/${field}`, `${why} takes no ${field}`)
    }
    if (mode === 'sequential') need('sessionId', 'The execution mode sequential')
    if (mode === 'workflow') {
      need('workflowId', 'The execution mode workflow')
      forbid('sessionId', 'The execution mode workflow')
    } else forbid('workflowId', `The execution mode ${mode}`)
    if (mode === 'single' && task.sessionId === null) need('agentId', 'The execution mode single')
    if (task.isRecurring) {
      need('cronExpression', 'A recurring task')
      forbid('scheduledFor', 'A recurring task')
    }
    jobs.schedules.check(cronExpression ?? '* * * * *', timezone ?? 'UTC', params)
    const text = JSON.stringify(input)
    if (text.length > INPUT_CHARACTERS) throw invalid('/input', '/input must be at most 64 KiB as JSON')
    if (depthOf(input, INPUT_DEPTH) > INPUT_DEPTH) throw invalid('/input', '/input is nested too deeply')
    if (/\\u0000|\\ud[89ab]/i.test(text)) throw invalid('/input', '/input must be text that can be kept')
  }

  /** Who owns it and which agent does it: the principal may change the agent and the session, and run the workflow. */
  async function resolve(by: Principal, task: Definition): Promise<Owned & Pick<Task, 'agentId'>> {
    const session =
      task.sessionId === null ? undefined : await sessions.owned(by, task.sessionId, 'change', '/sessionId')
    const isAgent = by.type === 'agent'
    const agentId = task.agentId ?? session?.agentId ?? (isAgent ? by.id : null)
    if (session && session.agentId !== agentId)
      throw invalid('/sessionId', 'The session belongs to another agent', 'session_of_another_agent')
    const verb: Verb = 'change'
    const agent = agentId === null ? undefined : await agents.owned(by, agentId, verb, '/agentId')
    if (task.workflowId !== null && !workflows)
      throw unavailable('workflowId needs workflows, which are not installed or off', {
        code: 'capability_missing'
      })
    if (task.workflowId !== null) await workflows?.check(by, task.workflowId, '/workflowId')
    return { project: by.project, owner: agent?.owner ?? by.owner, agentId }
  }

  return { check, resolve }
}
