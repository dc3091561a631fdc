import type { Principal } from 'agent-platform'
import type { Grant } from './schemas/grants.ts'
import type { Level } from './schemas/spaces.ts'

export type Subject = Pick<Grant, 'subjectType' | 'subjectId'>
/** A subject that a principal counts as, and the most that its grants give to it. */
export interface Counted extends Subject {
  readonly most: Level
}

const order: readonly Level[] = ['read', 'write', 'manage']
export const suffices = (held: Level | undefined, wanted: Level): boolean =>
  held !== undefined && order.indexOf(held) >= order.indexOf(wanted)
/** The higher of two. */
export const higher = (one: Level | undefined, other: Level): Level =>
  one !== undefined && suffices(one, other) ? one : other
export const atMost = (level: Level, most: Level): Level => (suffices(level, most) ? most : level)

const subjectsOfAgent = (project: string, agentId: string): readonly Counted[] => [
  { subjectType: 'agent', subjectId: agentId, most: 'write' },
  { subjectType: 'project', subjectId: project, most: 'write' }
]

/** As whom a principal has grants. A service that acts for itself needs none: it reaches its project. */
export function subjectsOf({ type, project, id, initiator }: Principal): readonly Counted[] {
  if (type === 'agent') return subjectsOfAgent(project, id)
  const everyone = { subjectType: 'project', subjectId: project, most: 'manage' } as const
  if (type === 'user') return [{ subjectType: 'user', subjectId: id, most: 'manage' }, everyone]
  if (initiator === undefined) return []
  return [
    { subjectType: 'user', subjectId: initiator, most: 'manage' },
    everyone,
    // Those for whom it acts read what was granted to the service, and change only what is theirs.
    { subjectType: 'service', subjectId: id, most: 'read' }
  ]
}

/** Whom a principal is, as grants name it. */
export const subjectOf = ({ type, id, initiator }: Principal): Subject =>
  initiator === undefined
    ? { subjectType: type, subjectId: id }
    : { subjectType: 'user', subjectId: initiator }
