import { depthOf } from 'agent-platform'

const DEEPEST = 64
/** Where a name `__proto__` may be, which JSON can also write by its codes. */
const SUSPICIOUS = /__proto__|\\u00[567]/i

/** JSON that a stranger made, without what a merge would take for a prototype; throws where it is none, or too deep. */
export function parseValue(text: string): unknown {
  const value = SUSPICIOUS.test(text)
    ? JSON.parse(text, (key, it) => (key === '__proto__' ? undefined : it))
    : JSON.parse(text)
  if (text.length > 2 * DEEPEST && depthOf(value, DEEPEST) > DEEPEST)
    throw new RangeError(`It is nested more than ${DEEPEST} levels deep`)
  return value
}
