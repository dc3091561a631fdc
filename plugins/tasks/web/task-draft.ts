import type { Schemas, Task } from 'agent-platform-client'

type NewTask = Schemas['NewTask']
export type When = 'by hand' | 'once' | 'cron'

/** A task as its form has it. */
export interface TaskDraft {
  readonly title: string
  readonly description: string
  readonly executionMode: Task['executionMode']
  readonly agentId: string | null
  readonly sessionId: string | null
  readonly workflowId: string | null
  readonly input: Task['input']
  readonly when: When
  /** ISO 8601. */
  readonly scheduledFor: string | null
  readonly cronExpression: string
  readonly isRecurring: boolean
  readonly timezone: string | null
  readonly attempts: number
  readonly backoffSeconds: number
}

export interface FieldsProps {
  readonly draft: TaskDraft
  readonly onChange: (draft: TaskDraft) => void
}

export const blankDraft = (agentId: string | null): TaskDraft => ({
  title: '',
  description: '',
  executionMode: 'single',
  agentId,
  sessionId: null,
  workflowId: null,
  input: null,
  when: 'by hand',
  scheduledFor: null,
  cronExpression: '',
  isRecurring: true,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  attempts: 1,
  backoffSeconds: 60
})

export const draftOf = (task: Task): TaskDraft => ({
  title: task.title,
  description: task.description ?? '',
  executionMode: task.executionMode,
  agentId: task.agentId,
  sessionId: task.sessionId,
  workflowId: task.workflowId,
  input: task.input,
  when: task.scheduledFor ? 'once' : task.cronExpression ? 'cron' : 'by hand',
  scheduledFor: task.scheduledFor,
  cronExpression: task.cronExpression ?? '',
  isRecurring: task.cronExpression ? task.isRecurring : true,
  timezone: task.timezone ?? 'UTC',
  attempts: task.retry?.attempts ?? 1,
  backoffSeconds: task.retry?.backoffSeconds ?? 60
})

/** The whole task: what the mode and the time do not take is left out. */
export function bodyOf(draft: TaskDraft): NewTask {
  const { title, description, executionMode, agentId, sessionId, workflowId, input, when } = draft
  const { attempts, backoffSeconds } = draft
  return {
    title,
    executionMode,
    description: description || null,
    input,
    retry: attempts > 1 ? { attempts, backoffSeconds } : null,
    agentId,
    ...(executionMode === 'workflow' ? { workflowId } : { sessionId }),
    ...(when === 'once' && { scheduledFor: draft.scheduledFor }),
    ...(when === 'cron' && {
      cronExpression: draft.cronExpression,
      isRecurring: draft.isRecurring,
      timezone: draft.timezone
    })
  }
}
