import { newId } from 'agent-platform'
import type { Step } from '../schemas/definition.ts'
import { ancestorsOf, lastOf } from './graph.ts'
import type { ExecutionRecord, StepRow } from './journal.ts'

/** Steps that see each other: those of the definition, of a `parallel`, or of one item of a `forEach`. */
export interface Scope {
  /** Of the paths of its steps. */
  readonly prefix: string
  readonly steps: readonly Step[]
  /** The step that it is inside of. */
  readonly within?: { readonly scope: Scope; readonly step: Step }
  readonly item?: { readonly value: unknown; readonly index: number }
}

type Rows = ReadonlyMap<string, StepRow>

export const COMPENSATION = '.compensation'

const stepsIn = ({ config }: Step): readonly Step[] => (config?.steps ?? []) as Step[]

export const pathOf = ({ prefix }: Scope, { id }: Step): string => prefix + id

/** The items of a `forEach` that has begun. */
export const itemsOf = (row: StepRow): readonly unknown[] =>
  (row.input as { items?: readonly unknown[] } | null)?.items ?? []

export const branch = (scope: Scope, step: Step): Scope => ({
  prefix: `${pathOf(scope, step)}.`,
  steps: stepsIn(step),
  within: { scope, step }
})

export const iteration = (scope: Scope, step: Step, value: unknown, index: number): Scope => ({
  prefix: `${pathOf(scope, step)}[${index}].`,
  steps: stepsIn(step),
  within: { scope, step },
  item: { value, index }
})

/** What undoes a step, as a step of its own. */
export const compensationOf = ({ id, compensation }: Step): Step => ({
  id: id + COMPENSATION,
  type: '',
  ...compensation,
  onError: 'continue'
})

/** The step at a path of the journal, and where it stands. */
export function locate(root: Scope, rows: Rows, path: string): { scope: Scope; step: Step } | undefined {
  let scope = root
  const names = path.replace(COMPENSATION, '').split('.')
  for (const [depth, name] of names.entries()) {
    const [, id, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(name) ?? []
    const step = scope.steps.find((step) => step.id === id)
    if (!step) return undefined
    if (depth === names.length - 1)
      return { scope, step: path.endsWith(COMPENSATION) ? compensationOf(step) : step }
    const row = rows.get(pathOf(scope, step))
    if (index === undefined) scope = branch(scope, step)
    else scope = iteration(scope, step, row && itemsOf(row)[Number(index)], Number(index))
  }
  return undefined
}

/** A step as expressions see it. */
const seen = ({ output, error, state }: StepRow) => ({
  output: output ?? null,
  error,
  ...(typeof state?.sessionId === 'string' && { sessionId: state.sessionId })
})

function seenBy(steps: readonly Step[], id: string): Iterable<string> {
  if (!id.endsWith(COMPENSATION)) return ancestorsOf(steps, id)
  const undone = id.slice(0, -COMPENSATION.length)
  return [...ancestorsOf(steps, undone), undone]
}

/** A step that begins. */
export const newRow = ({ scope, step }: { scope: Scope; step: Step }): StepRow => ({
  id: newId('step'),
  path: pathOf(scope, step),
  stepId: step.id.replace(COMPENSATION, ''),
  kind: step.type,
  status: 'running',
  attempt: 1,
  input: null,
  output: null,
  error: null,
  cost: null,
  usage: null,
  state: null,
  ref: null,
  arrival: null,
  awaits: false,
  decisions: null,
  deadline: null,
  startedAt: new Date().toISOString(),
  endedAt: null
})

/** What expressions of a step see: the steps before it, here and around it; without a step, all steps of the scope. */
export function contextOf(
  { id, input, workflowId }: ExecutionRecord,
  rows: Rows,
  scope: Scope,
  step?: Step
): Record<string, unknown> {
  const steps: Record<string, unknown> = {}
  const items: object[] = []
  let at: { scope: Scope; step?: Step | undefined } | undefined = { scope, step }
  for (; at; at = at.scope.within) {
    const { scope, step } = at
    const ids: Iterable<string> = step ? seenBy(scope.steps, step.id) : scope.steps.map(({ id }) => id)
    for (const id of ids) {
      const row = rows.get(scope.prefix + id)
      if (row) steps[id] = seen(row)
    }
    if (scope.item) items.push({ item: scope.item.value ?? null, index: scope.item.index })
  }
  return { input, steps, execution: { id, workflowId }, ...items[0] }
}

/** What its steps gave, by their ids. */
export const outputsOf = ({ rows }: { readonly rows: Rows }, scope: Scope, steps = scope.steps): object =>
  Object.fromEntries(
    steps.flatMap((step) => {
      const row = rows.get(pathOf(scope, step))
      return row && row.status !== 'skipped' ? [[step.id, row.output ?? null]] : []
    })
  )

/** What its last steps gave, by their ids. */
export const lastOutputsOf = (live: { readonly rows: Rows }, scope: Scope): object =>
  outputsOf(live, scope, lastOf(scope.steps))

/** A step that begins once more. */
export const newAttempt = (before: StepRow): StepRow => ({
  ...before,
  status: 'running',
  attempt: before.attempt + 1,
  error: null,
  state: null,
  ref: null,
  awaits: false,
  deadline: null
})
