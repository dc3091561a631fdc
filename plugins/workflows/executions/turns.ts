import { isUnknown, timedOut } from './failures.ts'
import type { StepError, StepRow } from './journal.ts'
import { isOpen } from './journal.ts'
import type { Live } from './live.ts'
import type { Placed, Plan } from './plan.ts'
import { isContainer } from './plan.ts'
import { COMPENSATION, compensationOf, locate, newRow } from './scopes.ts'

/** What others wrote of a step. */
export function merge(live: Live, { path, arrival, awaits, decisions }: StepRow): void {
  const known = live.rows.get(path)
  if (known && isOpen(known)) live.rows.set(path, { ...known, arrival, awaits, decisions })
}

/** Why all around a step failed. */
export const causeOf = ({ path, error }: StepRow): StepError => ({
  code: error?.code ?? 'internal',
  message: `${path}: ${error?.message ?? 'The step failed'}`
})

/** Steps with one inside that failed, or whose time is over. */
export function failingContainers(live: Live, { fail }: Plan): { row: StepRow; error: StepError }[] {
  const late = [...live.rows.values()].filter(
    (row) => isOpen(row) && isContainer(row.kind) && row.arrival?.by === 'time'
  )
  return [
    ...late.map((row) => {
      const { code, message } = timedOut(locate(live.root, live.rows, row.path)?.step.timeoutSeconds)
      return { row, error: { code, message } }
    }),
    ...fail.map(({ row, cause }) => ({ row, error: causeOf(cause) }))
  ]
}

/** What undoes steps that have had their effect, or may have had it: the last of them first, one after another. */
export function undoing(live: Live): Plan {
  const plan: Plan = { begin: [], skip: [], complete: [], fail: [], over: 'open' }
  const done = [...live.rows.values()]
    .filter((row) => (row.status === 'completed' || isUnknown(row)) && !row.path.endsWith(COMPENSATION))
    .sort((a, b) => (`${a.endedAt}${a.id}` < `${b.endedAt}${b.id}` ? 1 : -1))
  for (const { path } of done) {
    const placed = locate(live.root, live.rows, path)
    if (!placed?.step.compensation) continue
    const row = live.rows.get(path + COMPENSATION)
    if (row && !isOpen(row)) continue
    if (!row) plan.begin.push({ scope: placed.scope, step: compensationOf(placed.step) })
    return plan
  }
  plan.over = { failed: undefined }
  return plan
}

export const skipped = (placed: Placed): StepRow => {
  const row = newRow(placed)
  return { ...row, status: 'skipped', attempt: 0, endedAt: row.startedAt }
}
