import type { Principal, Trx } from 'agent-platform'
import { forbidden, notFound } from 'agent-platform'
import type { MemberRow, MemberStore, Role } from '../stores/members.ts'
import type { PersonRow, PersonStore } from '../stores/people.ts'
import type { People } from './people.ts'
import { principalOf } from './people.ts'

export type Membership = ReturnType<typeof createMembership>

interface Deps {
  people: People
  personStore: PersonStore
  memberStore: MemberStore
}

export const ROLES = ['owner', 'member'] as const

/** Who belongs to a project, when it is asked and while something is done. */
export function createMembership({ people, personStore, memberStore }: Deps) {
  /** 403 for a person that is disabled; it is not before the transaction ends. */
  async function holdPerson(trx: Trx, id: string): Promise<void> {
    const person = await personStore.findHeld(trx, id)
    if (!person || person.disabledAt !== null)
      throw forbidden('That is for people who have signed in', { code: 'person_required' })
  }

  return {
    holdPerson,

    /** Who asks, and as what it belongs to that project: 404 where there is none, 403 where it does not, or not as one of `roles`. */
    async enter(by: Principal, id: string, roles: readonly Role[] = ROLES) {
      const person = await people.of(by)
      const project = await memberStore.findProject(id)
      if (!project) throw notFound('Project')
      const member = checked(await memberStore.findOf(id, person.id), roles)
      return { person, project, member, acting: { ...principalOf(person, id), credential: by.credential } }
    },

    /** Asks the same again, and it is so until the transaction ends: what was found on entering may have ended meanwhile. */
    async hold(trx: Trx, id: string, person: PersonRow, roles: readonly Role[] = ROLES): Promise<void> {
      await memberStore.lockOf(trx, id)
      if (!(await memberStore.findProject(id, trx))) throw notFound('Project')
      checked(await memberStore.findOf(id, person.id, trx), roles)
      await holdPerson(trx, person.id)
    }
  }
}

function checked(member: MemberRow | undefined, roles: readonly Role[]): MemberRow {
  if (!member) throw forbidden('You do not have access to this project', { code: 'not_owner' })
  if (!roles.includes(member.role))
    throw forbidden('That is for owners of the project', { code: 'not_owner' })
  return member
}
