import type { Kernel } from 'agent-platform'
import { exhausted } from 'agent-platform'
import type { Runs } from '../../runs/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import type { KeptEvents } from '../events/kept-events.ts'
import type { Cancellations } from '../executions/cancellations.ts'
import { BY_PARENT } from '../executions/cancellations.ts'
import { StepFailure } from '../executions/journal.ts'
import type { ExecutionStarts } from '../executions/starts.ts'
import type { WorkflowSettings } from '../settings.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import type { StepStore } from '../stores/steps.ts'
import { createAgentKind } from './agent.ts'
import { createApprovalKind } from './approval.ts'
import { contributed } from './contributed.ts'
import { condition, transform } from './evaluated.ts'
import type { Attempt, Kind } from './kind.ts'
import { createNestedKind } from './nested.ts'
import { createToolKind } from './tool.ts'
import { createWaitKind } from './wait.ts'

export type StepKinds = ReturnType<typeof createStepKinds>

interface Deps extends Pick<Kernel, 'points'> {
  settings: WorkflowSettings
  runs: Runs
  tools: Tools
  executionStore: ExecutionStore
  stepStore: StepStore
  executionStarts: ExecutionStarts
  cancellations: Cancellations
  keptEvents: KeptEvents
}

/** A step with steps inside: what it does is in the plan of its execution. */
const container: Kind = { begin: () => Promise.reject(new Error('It is planned')) }

/** How steps are made, by their type. */
export function createStepKinds(deps: Deps) {
  const {
    points,
    settings,
    runs,
    tools,
    executionStore,
    stepStore,
    executionStarts,
    cancellations,
    keptEvents
  } = deps

  async function admit({ live: { row } }: Attempt): Promise<void> {
    if ((await stepStore.countTokens(row.project, row.rootId)) >= settings.maxTokens)
      throw exhausted(`The executions took more than ${settings.maxTokens} tokens`, { code: 'cost_exceeded' })
  }

  const own = new Map<string, Kind>([
    ['transform', transform],
    ['condition', condition],
    ['parallel', container],
    ['forEach', container],
    ['wait', createWaitKind(settings.waitSeconds, keptEvents)],
    ['approval', createApprovalKind(settings.approvalSeconds, settings.waitSeconds)],
    ['tool', createToolKind({ tools })],
    ['agent', createAgentKind({ runs, admit })],
    [
      'workflow',
      createNestedKind({
        admit,
        start: executionStarts.startNested,
        find: executionStore.find,
        cancel: (project, ids) => cancellations.cancel(project, ids, BY_PARENT)
      })
    ]
  ])

  return {
    /** Whether an attempt that is cut may have had an effect that no other record tells of, as runs and executions have. */
    hasEffect: (type: string): boolean => type === 'tool' || !own.has(type),
    of(type: string): Kind {
      const found = own.get(type)
      if (found) return found
      const brought = points.all('workflows.step').find(({ key }) => key === type)
      if (brought) return contributed(brought.value)
      throw new StepFailure('unknown_type', `No pack that is on brings steps of the type ${type}`)
    }
  }
}
