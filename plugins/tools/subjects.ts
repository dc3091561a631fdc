import type { Principal, Subject } from 'agent-platform'
import type { Permission } from './contract.ts'
import type { Grant } from './rows.ts'

export type { Subject }
/** A permission as a decision needs it. */
export type Granted = Subject & Pick<Permission, 'id' | 'level'>

/** As whom a principal has tools, nearest first: what is in the first of several ways decides. */
export interface EffectiveSubjects {
  readonly project: string
  /** A service that acts for itself. */
  readonly reachesAll?: true
  readonly owners: readonly Way<{ owner: string }>[]
  readonly subjects: readonly Way<Subject>[]
}
type Way<T> = T & { readonly reason: Grant['reason']; readonly most: Grant['level'] }

/**
 * An agent uses what its owner may use. It manages what was granted to itself alone, so that a model cannot change
 * what was not meant for it.
 */
export const subjectsOfAgent = (project: string, agentId: string, owner: string): EffectiveSubjects => ({
  project,
  owners: [{ owner, reason: 'inheritance', most: 'use' }],
  subjects: [
    { subjectType: 'agent', subjectId: agentId, reason: 'grant', most: 'manage' },
    { subjectType: 'user', subjectId: owner, reason: 'inheritance', most: 'use' },
    { subjectType: 'service', subjectId: owner, reason: 'inheritance', most: 'use' },
    { subjectType: 'project', subjectId: project, reason: 'grant', most: 'use' }
  ]
})

export const subjectsOfUser = (project: string, user: string): EffectiveSubjects => ({
  project,
  owners: [{ owner: user, reason: 'ownership', most: 'manage' }],
  subjects: [
    { subjectType: 'user', subjectId: user, reason: 'grant', most: 'manage' },
    { subjectType: 'project', subjectId: project, reason: 'grant', most: 'manage' }
  ]
})

export const subjectsOfService = (project: string): EffectiveSubjects => ({
  project,
  reachesAll: true,
  owners: [],
  subjects: []
})

/** What is everyone's in a project. */
export const subjectsOfProject = (project: string): EffectiveSubjects => ({
  project,
  owners: [],
  subjects: [{ subjectType: 'project', subjectId: project, reason: 'grant', most: 'manage' }]
})

export function subjectsOf({ type, project, id, owner, initiator }: Principal): EffectiveSubjects {
  if (type === 'agent') return subjectsOfAgent(project, id, owner)
  if (type === 'user') return subjectsOfUser(project, id)
  if (initiator === undefined) return subjectsOfService(project)
  // Those for whom it acts use what is the service's, and change only what is theirs.
  const user = subjectsOfUser(project, initiator)
  return {
    project,
    owners: [...user.owners, { owner: id, reason: 'ownership', most: 'use' }],
    subjects: [...user.subjects, { subjectType: 'service', subjectId: id, reason: 'grant', most: 'use' }]
  }
}

/** The grant that decides: the highest level, by the nearest way. */
export function decide(
  { project, reachesAll, owners, subjects }: EffectiveSubjects,
  tool: { readonly project: string; readonly owner: string },
  granted: readonly Granted[]
): Grant | null {
  if (tool.project !== project) return null
  if (reachesAll) return { reason: 'ownership', level: 'manage' }
  const grants: Grant[] = []
  for (const { owner, reason, most } of owners) if (owner === tool.owner) grants.push({ reason, level: most })
  for (const { subjectType, subjectId, reason, most } of subjects) {
    const found = granted.find((it) => it.subjectType === subjectType && it.subjectId === subjectId)
    if (found) grants.push({ reason, level: most === 'use' ? 'use' : found.level, permissionId: found.id })
  }
  return grants.find(({ level }) => level === 'manage') ?? grants[0] ?? null
}

/** Whether a grant is enough for a level: who manages may also use. */
export const suffices = (grant: Grant | null, level: Grant['level']): boolean =>
  grant !== null && (level === 'use' || grant.level === 'manage')
