import type { Run } from '../schemas/runs.ts'
import type { QuestionStore } from '../stores/questions.ts'
import type { StoredRun } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { StepStore } from '../stores/steps.ts'

export type PendingCalls = ReturnType<typeof createPendingCalls>

interface Deps {
  runStore: RunStore
  stepStore: StepStore
  questionStore: QuestionStore
}

/** What runs wait for from outside: results of the caller's tools, approvals, answers to questions. */
export function createPendingCalls({ runStore, stepStore, questionStore }: Deps) {
  async function list({ project, id, status }: StoredRun): Promise<Run['pending']> {
    if (status !== 'waiting' && status !== 'running') return []
    const [calls, questions] = await Promise.all([
      stepStore.listOpen(project, id),
      questionStore.listOpen(project, id)
    ])
    return [
      ...calls.map(({ id: callId, toolName, args, callerDeadline, approvalDeadline }) => ({
        callId,
        toolName,
        args,
        deadline: (callerDeadline ?? approvalDeadline) as string,
        for: callerDeadline === null ? ('approval' as const) : ('result' as const)
      })),
      ...questions.map(({ id: elicitationId, ...question }) => ({
        ...question,
        for: 'elicitation' as const,
        elicitationId
      }))
    ]
  }

  /** A run whose tool asks goes on in a process, which holds the call: for those outside it waits all the same. */
  function statusOf({ status }: Pick<StoredRun, 'status'>, pending: Run['pending']): Run['status'] {
    if (status === 'waiting' && pending.length === 0) return 'running'
    const isAsked = status === 'running' && pending.some((it) => it.for === 'elicitation')
    return isAsked ? 'waiting' : status
  }

  /** Whether it has ended, or goes on only when something comes from outside: to itself, or to the run ahead of it. */
  async function isSettled(run: StoredRun): Promise<boolean> {
    if (run.endedAt !== null) return true
    if (run.cancelledFor !== null) return false
    if (run.status !== 'queued') return statusOf(run, await list(run)) === 'waiting'
    const ahead = await runStore.findActive(run.project, run.sessionId)
    return ahead !== undefined && isSettled(ahead)
  }

  return { list, statusOf, isSettled }
}
