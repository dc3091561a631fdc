import type { Owned, Principal } from 'agent-platform'
import { reach } from 'agent-platform'

interface Enabled extends Owned {
  readonly status: string
  readonly audience: string
}

/** Looks after the apps of its project, whosever they are. */
export const isMaintainer = (by: Principal): boolean => by.scopes.has('platform:admin')

/**
 * Whether the principal’s pages and agents may use it. No other person’s app runs on behalf of a principal that did not enable it, unless it
 * was enabled for the project: not even of a service or a maintainer, whose rights it would then have.
 */
export const mayUse = (by: Principal, { project, owner, status, audience }: Enabled): boolean =>
  project === by.project && status === 'enabled' && (audience === 'project' || owner === by.owner)

/** The same and the principal’s own as a where clause, for lists. */
export function visibleTo<Q extends ReturnType<Parameters<typeof reach>[1]['where']>>(
  by: Principal,
  query: Q
): Q {
  query.where('project', by.project)
  if (isMaintainer(by)) return query
  query.where((some) => {
    some.where((own) => void (by.type === 'agent' ? own.whereRaw('false') : reach(by, own)))
    some.orWhere((used) => {
      used.where('status', 'enabled').where((whose) => {
        whose.where('audience', 'project').orWhere('owner', by.owner)
      })
    })
  })
  return query
}
