import type { Asking } from '../identity/ownership.ts'

/** To whom something is granted; of a project: to everybody in it. */
export interface Subject {
  readonly subjectType: 'user' | 'agent' | 'service' | 'project'
  readonly subjectId: string
}

/** As whom a principal has grants, and how far they count: whole, below the highest level, or as the lowest. */
export interface Counted extends Subject {
  readonly counts: 'whole' | 'belowHighest' | 'lowest'
}

/**
 * As whom a principal has grants. A service that acts for itself needs none: it reaches its project. An agent never has
 * the highest level, so that what a model reads does not change who may do what.
 */
export function subjectsOf({ type, project, id, initiator }: Asking): readonly Counted[] {
  const everyone = { subjectType: 'project', subjectId: project } as const
  if (type === 'agent')
    return [
      { subjectType: 'agent', subjectId: id, counts: 'belowHighest' },
      { ...everyone, counts: 'belowHighest' }
    ]
  if (type === 'user')
    return [
      { subjectType: 'user', subjectId: id, counts: 'whole' },
      { ...everyone, counts: 'whole' }
    ]
  if (initiator === undefined) return []
  return [
    { subjectType: 'user', subjectId: initiator, counts: 'whole' },
    { ...everyone, counts: 'whole' },
    // Those for whom it acts have the least of what was granted to the service, and change only what is theirs.
    { subjectType: 'service', subjectId: id, counts: 'lowest' }
  ]
}

/** Whom a principal is, as grants name it. */
export const subjectOf = ({ type, id, initiator }: Pick<Asking, 'type' | 'id' | 'initiator'>): Subject =>
  initiator === undefined
    ? { subjectType: type, subjectId: id }
    : { subjectType: 'user', subjectId: initiator }

export const isSame = (one: Subject, other: Subject): boolean =>
  one.subjectType === other.subjectType && one.subjectId === other.subjectId
