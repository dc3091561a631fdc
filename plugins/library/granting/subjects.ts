import type { Principal } from 'agent-platform'
import type { Grant, Level } from './schemas.ts'

export type Subject = Pick<Grant, 'subjectType' | 'subjectId'>
/** Who asks, as far as access depends on it. */
export type Asking = Pick<Principal, 'id' | 'type' | 'project' | 'owner' | 'initiator'>
/** A subject that a principal counts as, and the most that its grants give to it. */
interface Counted extends Subject {
  readonly most: Level
}

const order: readonly Level[] = ['read', 'write', 'manage']
export const suffices = (held: Level, wanted: Level): boolean => order.indexOf(held) >= order.indexOf(wanted)

/** The highest of these levels; undefined of none. */
export const highest = (levels: readonly Level[]): Level | undefined =>
  order.findLast((level) => levels.includes(level))

export const atMost = (level: Level, most: Level): Level => (suffices(level, most) ? most : level)

/** As whom a principal has grants. A service that acts for itself needs none: it reaches its project. */
export function subjectsOf({ type, project, id, initiator }: Asking): readonly Counted[] {
  const everyone = (most: Level) => ({ subjectType: 'project', subjectId: project, most }) as const
  if (type === 'agent') return [{ subjectType: 'agent', subjectId: id, most: 'write' }, everyone('write')]
  if (type === 'user') return [{ subjectType: 'user', subjectId: id, most: 'manage' }, everyone('manage')]
  if (initiator === undefined) return []
  return [
    { subjectType: 'user', subjectId: initiator, most: 'manage' },
    everyone('manage'),
    // Those for whom it acts read what was granted to the service, and change only what is theirs.
    { subjectType: 'service', subjectId: id, most: 'read' }
  ]
}

/** Whether a grant is the principal's own, as grants name it. */
export const isOwn = ({ type, id, initiator }: Asking, { subjectType, subjectId }: Subject): boolean =>
  initiator === undefined
    ? subjectType === type && subjectId === id
    : subjectType === 'user' && subjectId === initiator
