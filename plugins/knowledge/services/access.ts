import type { Kernel, Principal, Verb } from 'agent-platform'
import { forbidden, notFound, owned } from 'agent-platform'
import type { Level, Space, StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import { atMost, higher, subjectsOf, suffices } from '../subjects.ts'

export type SpaceAccess = ReturnType<typeof createSpaceAccess>

interface Deps extends Pick<Kernel, 'knex'> {
  spaceStore: SpaceStore
}

/** Who may do what in a space: asked of the record at each use, so that what is revoked ends at once. */
export function createSpaceAccess({ knex, spaceStore }: Deps) {
  /** The spaces that the principal reaches, each with what it may do there. */
  async function withAccess(by: Principal, rows: readonly StoredSpace[]): Promise<(Space & StoredSpace)[]> {
    const subjects = subjectsOf(by)
    const ids = rows.map(({ id }) => id)
    const granted = subjects.length === 0 ? [] : await spaceStore.listGrants(by.project, subjects, ids)
    return rows.flatMap((row) => {
      let access = ownAccess(by, row)
      for (const { spaceId, subjectType, subjectId, level } of granted) {
        const counted = subjects.find((it) => it.subjectType === subjectType && it.subjectId === subjectId)
        if (spaceId === row.id && counted) access = higher(access, atMost(level, counted.most))
      }
      return access ? [{ ...row, access }] : []
    })
  }

  /** The space, if the principal may do that there; 404 or 403 otherwise, with `param` where the id stood in a request. */
  async function space(by: Principal, id: string, level: Level, param?: string) {
    const row = await spaces.find(knex, id)
    if (!row) throw notFound(spaces.what, { ...(param && { param }) })
    const [found] = row.project === by.project ? await withAccess(by, [row]) : []
    if (found && suffices(found.access, level)) return found
    if (found)
      throw forbidden(`That takes ${level} access to the knowledge space`, {
        code: 'not_granted',
        ...(param && { param })
      })
    throw forbidden('Knowledge space belongs to someone else', { code: 'not_owner', ...(param && { param }) })
  }

  return { withAccess, space }
}

/** What a principal may do without a grant. */
function ownAccess(by: Principal, row: StoredSpace): Level | undefined {
  const may = (verb: Verb) => {
    try {
      return owned(by, row, spaces.what, verb) === row
    } catch {
      return false
    }
  }
  return may('change') ? 'manage' : may('read') ? 'read' : undefined
}
