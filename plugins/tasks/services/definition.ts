import type { Kernel, Owned, Principal } from 'agent-platform'
import { depthOf, invalid, unavailable } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { Workflows } from '../../workflows/contract.ts'
import type { NewTask, Task } from '../schemas/tasks.ts'

export type DefinitionCheck = ReturnType<typeof createDefinitionCheck>

/** What callers say of a task, whole. */
export type Definition = Required<NewTask>

interface Deps extends Pick<Kernel, 'principals'> {
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
    throw invalid('/scheduledFor', '/scheduledFor must be between the years 1970 and 9999')
  return moment.toISOString()
}

/** What a task has to be, beside the shapes of its fields. */
export function createDefinitionCheck({ principals, agents, sessions, jobs, workflows }: Deps) {
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

  /** Who owns it and which agent does it: the principal may change the agent and the session. */
  async function resolve(by: Principal, task: Definition): Promise<Owned & Pick<Task, 'agentId'>> {
    const session =
      task.sessionId === null ? undefined : await sessions.owned(by, task.sessionId, 'change', '/sessionId')
    const isAgent = by.type === 'agent'
    const agentId = task.agentId ?? session?.agentId ?? (isAgent ? by.id : null)
    if (session && session.agentId !== agentId)
      throw invalid('/sessionId', 'The session belongs to another agent', 'session_of_another_agent')
    const agent = agentId === null ? undefined : await agents.owned(by, agentId, 'change', '/agentId')
    const owner = agent?.owner ?? by.owner
    if (task.workflowId !== null) await checkWorkflow(by, owner, task.workflowId)
    return { project: by.project, owner, agentId }
  }

  /** The principal may execute it, and so may the owner of the task, in whose name that is done. */
  async function checkWorkflow(by: Principal, owner: string, workflowId: string): Promise<void> {
    if (!workflows)
      throw unavailable('workflowId needs workflows, which are not installed or off', {
        code: 'capability_missing'
      })
    await workflows.check(by, workflowId, '/workflowId')
    const acting = owner === by.owner ? undefined : await principals.of(by.project, owner)
    if (acting) await workflows.check(acting, workflowId, '/workflowId')
  }

  return { check, resolve }
}
