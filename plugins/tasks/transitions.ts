import type { Status } from './schemas/tasks.ts'

/** What may become of a task, and of a run of one, which is never `scheduled` and stays as it ended. */
export const transitions: Readonly<Record<Status, readonly Status[]>> = {
  scheduled: ['queued', 'cancelled'],
  queued: ['running', 'failed', 'cancelled', 'scheduled'],
  running: ['waiting', 'queued', 'completed', 'failed', 'cancelled', 'scheduled'],
  waiting: ['running', 'queued', 'completed', 'failed', 'cancelled', 'scheduled'],
  completed: ['scheduled', 'queued'],
  failed: ['scheduled', 'queued'],
  cancelled: ['scheduled', 'queued']
}

export const isOver = (status: Status): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** The status that follows; whatever writes one asks here first. */
export function moved<S extends Status>(from: Status, to: S): S {
  if (from !== to && !transitions[from].includes(to)) throw new Error(`${from} does not become ${to}`)
  return to
}
