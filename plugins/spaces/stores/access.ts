import type { Kernel, Principal } from 'agent-platform'
import { forbidden, notFound, subjectOf } from 'agent-platform'
import type { Role } from '../schemas/members.ts'
import { roles } from '../schemas/members.ts'
import type { StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'

export type SpaceAccess = ReturnType<typeof createSpaceAccess>

/** A space as a principal sees it: `role` is null where it is public and the principal no member. */
export interface Entered {
  readonly space: StoredSpace
  readonly role: Role | null
  /** Undefined for a service that is no member: it reaches its project. */
  readonly memberId: string | undefined
}
type Found = StoredSpace & { readonly memberId: string | null; readonly role: Role | null }

const columns = spaces.columns.map((column) => `s."${column}"`).join(', ')
// Members and public spaces have indexes of their own; one row by its key.
const findText = `select ${columns}, m.id as "memberId", m.role from spaces.space s
  left join spaces.member m on m.project = s.project and m."spaceId" = s.id
    and m."subjectType" = $2 and m."subjectId" = $3
  where s.id = $1`

export const suffices = (role: Role | null, wanted: Role): boolean =>
  role !== null && roles.indexOf(role) >= roles.indexOf(wanted)

/** A service that acts for itself reaches its whole project; no agent changes who may do what. */
export function roleOf(
  { type, initiator }: Pick<Principal, 'type' | 'initiator'>,
  role: Role | null
): Role | null {
  if (type === 'service' && initiator === undefined) return 'owner'
  return type === 'agent' && suffices(role, 'admin') ? 'member' : role
}

/** Who may do what in a space, as the record has it: what was taken away ends at once. */
export function createSpaceAccess({ hot }: Pick<Kernel, 'hot'>) {
  /** The space, if the principal is let into it with at least that role, or, `see`, if it is public; 404 or 403 otherwise. */
  async function find(by: Principal, id: string, wanted: Role | 'see'): Promise<Entered> {
    const { subjectType, subjectId } = subjectOf(by)
    const [row] = await hot.query<Found>('spaces.find', findText, [id, subjectType, subjectId])
    if (!row) throw notFound(spaces.what)
    const isForeign = row.project !== by.project
    const { memberId, role: own, ...space } = row
    const role = isForeign ? null : roleOf(by, own)
    const isSeen = role !== null || (!isForeign && wanted === 'see' && space.visibility === 'public')
    if (!isSeen)
      throw forbidden('That takes a member of the space', { code: isForeign ? 'not_owner' : 'not_member' })
    if (wanted !== 'see' && !suffices(role, wanted))
      throw forbidden(`That takes ${wanted} access to the space`, { code: 'not_granted' })
    return { space, role, memberId: memberId ?? undefined }
  }

  return { find }
}
