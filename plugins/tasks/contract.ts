import type { Task } from './schemas/tasks.ts'

/** Of one run of a task: never what went in or came out. */
interface About {
  readonly taskId: string
  readonly taskRunId: string
  readonly agentId: string | null
  readonly runId: string | null
  readonly executionId: string | null
}

/** Without what is told to the agent. */
type AboutTask = Omit<Task, 'title' | 'description' | 'input'>

declare module 'agent-platform' {
  interface Facts {
    'tasks.created': AboutTask
    'tasks.updated': AboutTask
    'tasks.deleted': { readonly id: string }
    'tasks.started': About
    'tasks.completed': About
    'tasks.failed': About & { readonly code: string }
    'tasks.cancelled': About
  }
}
