import type { FastifyBaseLogger } from 'fastify'
import type { Signals } from '../events/signals.ts'
import type { KernelCredentials } from '../identity/credentials.ts'
import type { createProjects, Excluded } from '../identity/projects.ts'
import { isOf } from '../identity/projects.ts'
import type { Guard } from './guard.ts'
import type { createLive } from './live.ts'

interface Parts {
  readonly live: ReturnType<typeof createLive>
  readonly guard: Pick<Guard, 'forget' | 'forgetUser'>
  readonly credentials: Pick<KernelCredentials, 'onRevoked' | 'listRevoked'>
  readonly projects: Pick<ReturnType<typeof createProjects>, 'onExcluded' | 'listExcluded'>
  readonly signals: Pick<Signals, 'onChange'>
  readonly log: FastifyBaseLogger
}

/** Whose credential is revoked, or who is excluded from a project, is not believed any longer, and its open streams end. */
export function endRevokedAccess({ live, guard, credentials, projects, signals, log }: Parts): void {
  const closeOf = (revoked: readonly string[]) =>
    live.closeWhere(({ credential }) => credential !== undefined && revoked.includes(credential))
  const closeOfUser = (user: Excluded) => live.closeWhere(({ by }) => by !== undefined && isOf(by, user))

  credentials.onRevoked((ids) => {
    guard.forget(ids)
    closeOf(ids)
  })
  projects.onExcluded((user) => {
    guard.forgetUser(user)
    closeOfUser(user)
  })
  // What was revoked while nothing was heard must not be believed afterwards, nor go on.
  signals.onChange((connected) => {
    if (!connected) guard.forget()
    else if (live.size > 0)
      Promise.all([
        credentials.listRevoked(live.credentials()).then(closeOf),
        projects.listExcluded(live.users()).then((users) => users.forEach(closeOfUser))
      ]).then(undefined, (error) => log.warn({ err: error }, 'open streams could not be checked'))
  })
}
