import type { PageOf, Paging, Principal } from 'agent-platform'
import type { WaitingStep } from '../schemas/waiting.ts'
import type { WaitingStepStore } from '../stores/waiting-steps.ts'

export type WaitingSteps = ReturnType<typeof createWaitingSteps>

/** What waits for a person, over all workflows. */
export function createWaitingSteps({ waitingStepStore }: { waitingStepStore: WaitingStepStore }) {
  async function list(by: Principal, paging: Paging): Promise<PageOf<WaitingStep>> {
    const { data, nextCursor } = await waitingStepStore.list(by, paging)
    const executions = data.map(({ executionId }) => executionId)
    const workflows = await waitingStepStore.listWorkflows(by.project, executions)
    const who = by.initiator ?? by.id
    const seesAll = by.type === 'service' && !by.initiator
    return {
      data: data.map(({ kind, ...step }) => {
        const { workflowId = '', name = null } = workflows.get(step.executionId) ?? {}
        const workflowName = seesAll || step.owner === who ? name : null
        return { ...step, type: kind as WaitingStep['type'], workflowId, workflowName }
      }),
      nextCursor
    }
  }

  return { list }
}
