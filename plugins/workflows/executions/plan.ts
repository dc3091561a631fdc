import type { Step } from '../schemas/definition.ts'
import { readinessOf, routeOf } from './graph.ts'
import type { StepRow } from './journal.ts'
import { isOpen } from './journal.ts'
import type { Scope } from './scopes.ts'
import { branch, itemsOf, iteration, pathOf } from './scopes.ts'

export interface Placed {
  readonly scope: Scope
  readonly step: Step
}

/** What can be done now. */
export interface Plan {
  readonly begin: Placed[]
  /** Steps that are not going to run. */
  readonly skip: Placed[]
  /** Steps with steps inside that have all ended. */
  readonly complete: (Placed & { readonly row: StepRow })[]
  /** Steps with one inside that failed. */
  readonly fail: (Placed & { readonly row: StepRow; readonly cause: StepRow })[]
  /** `open` while something is left to be done or waited for; else the step that failed, if any. */
  over: 'open' | { readonly failed: StepRow | undefined }
}

export const isContainer = (kind: string): boolean => kind === 'parallel' || kind === 'forEach'

/** What comes next by the journal. `settled` remembers the prefixes of items that have ended. */
export function planOf(root: Scope, rows: ReadonlyMap<string, StepRow>, settled: Set<string>): Plan {
  const plan: Plan = { begin: [], skip: [], complete: [], fail: [], over: 'open' }
  const skipped = new Map<string, StepRow>()
  const rowAt = (path: string) => rows.get(path) ?? skipped.get(path)

  function walk(scope: Scope): Plan['over'] {
    const failed = scope.steps.flatMap((step) => {
      const row = rowAt(pathOf(scope, step))
      return row?.status === 'failed' && routeOf(step, row) === 'fail' ? row : []
    })
    // Steps that were ended because another one failed are not the cause.
    const cause = failed.find(({ state }) => state?.isCutOff !== true) ?? failed[0]
    if (cause) return { failed: cause }
    let isOver = true
    for (let isNew = true; isNew; ) {
      isNew = false
      isOver = true
      for (const step of scope.steps) {
        const path = pathOf(scope, step)
        const row = rowAt(path)
        if (row && !isOpen(row)) continue
        isOver = false
        if (row || plan.begin.some((placed) => placed.step === step && placed.scope === scope)) continue
        const readiness = readinessOf(scope.steps, step.id, (id) => rowAt(scope.prefix + id))
        if (readiness === 'ready') plan.begin.push({ scope, step })
        if (readiness !== 'skipped') continue
        plan.skip.push({ scope, step })
        skipped.set(path, { status: 'skipped' } as StepRow)
        isNew = true
      }
    }
    for (const step of scope.steps) {
      const row = rows.get(pathOf(scope, step))
      if (row?.status === 'running' && isContainer(row.kind)) enter(scope, step, row)
    }
    return isOver ? { failed: undefined } : 'open'
  }

  function enter(scope: Scope, step: Step, row: StepRow): void {
    const over = step.type === 'parallel' ? walk(branch(scope, step)) : walkItems(scope, step, row)
    if (over === 'open') return
    if (over.failed) plan.fail.push({ scope, step, row, cause: over.failed })
    else plan.complete.push({ scope, step, row })
  }

  function walkItems(scope: Scope, step: Step, row: StepRow): Plan['over'] {
    const { concurrency = 1 } = row.input as { concurrency?: number }
    let left = concurrency
    for (const [index, value] of itemsOf(row).entries()) {
      if (left === 0) break
      const item = iteration(scope, step, value, index)
      if (settled.has(item.prefix)) continue
      const over = walk(item)
      if (over === 'open') left--
      else if (over.failed) return over
      // What is skipped in it has yet to be written down.
      else if (item.steps.every((it) => rows.has(pathOf(item, it)))) settled.add(item.prefix)
      else left--
    }
    return left === concurrency ? { failed: undefined } : 'open'
  }

  plan.over = walk(root)
  return plan
}
