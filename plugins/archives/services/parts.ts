import type { Kernel, Principal, SchemaCheck } from 'agent-platform'
import { compileSchema } from 'agent-platform'
import type { ArchivePart, ArchiveRecord } from '../contract.ts'
import { BYTES, faultOfBytes } from '../format/bytes.ts'

export type Parts = ReturnType<typeof createParts>

export interface MountedPart {
  readonly name: string
  /** Whose it is: by that its scopes are called. */
  readonly pack: string
  readonly part: ArchivePart
}

/** What packs contribute: found anew each time, as they come and go. */
export function createParts({ points }: Pick<Kernel, 'points'>) {
  const checks = new WeakMap<ArchivePart, ReadonlyMap<string, SchemaCheck>>()

  function checksOf(part: ArchivePart): ReadonlyMap<string, SchemaCheck> {
    const known = checks.get(part)
    if (known) return known
    const made = new Map(Object.entries(part.records).map(([kind, schema]) => [kind, compileSchema(schema)]))
    checks.set(part, made)
    return made
  }

  return {
    /** In the order in which they are written and read. */
    all: (): readonly MountedPart[] =>
      points.all('archives.part').map(({ pack, key: name = pack, value: part }) => ({ name, pack, part })),

    /** What is wrong with a line, if anything; `before` is the kind of the record before it. */
    faultOf(
      part: ArchivePart,
      { kind, data }: ArchiveRecord,
      before: string | undefined
    ): string | undefined {
      if (kind === BYTES) {
        if (before === undefined || !part.withBytes?.includes(before)) return 'is bytes of no record'
        return faultOfBytes(data)
      }
      const check = checksOf(part).get(kind)
      if (!check) return `is of an unknown kind: ${kind.slice(0, 64)}`
      const fault = check(data)
      return fault && `(${kind}): ${fault.at} ${fault.text}`
    }
  }
}

/** The packs whose data a credential may read or write; null: all. */
export const areasOf = (by: Principal, level: 'read' | 'write'): string[] | null =>
  by.narrowed
    ? [...by.scopes].flatMap((scope) => (scope.endsWith(`:${level}`) ? [scope.split(':')[0] as string] : []))
    : null

export const isAllowed = (areas: readonly string[] | null, pack: string): boolean =>
  areas === null || areas.includes(pack)
