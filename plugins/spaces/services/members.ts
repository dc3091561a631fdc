import type { Kernel, PageOf, Paging, Principal, Subject, Trx } from 'agent-platform'
import { conflict, forbidden, invalid, notFound, subjectOf } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Member, MemberChanges, NewMember, Role, StoredMember } from '../schemas/members.ts'
import { members } from '../schemas/members.ts'
import { messages } from '../schemas/messages.ts'
import { spaces } from '../schemas/spaces.ts'
import type { SpaceSettings } from '../settings.ts'
import type { Entered, SpaceAccess } from '../stores/access.ts'
import { suffices } from '../stores/access.ts'
import type { MemberStore } from '../stores/members.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import type { SpaceEvents } from './events.ts'
import { memberOf, toldOf } from './events.ts'
import type { Presence } from './presence.ts'

export type MemberService = ReturnType<typeof createMemberService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: SpaceSettings
  agents: Agents
  spaceStore: SpaceStore
  memberStore: MemberStore
  spaceAccess: SpaceAccess
  spaceEvents: SpaceEvents
  presence: Presence
}

/** Facts; without the pack's name they are the events of the space. */
const names = ['spaces.member_added', 'spaces.member_updated', 'spaces.member_removed'] as const

const isSame = (one: Subject, other: Subject) =>
  one.subjectType === other.subjectType && one.subjectId === other.subjectId

export function createMemberService(deps: Deps) {
  const {
    knex,
    transaction,
    facts,
    settings,
    agents,
    spaceStore,
    memberStore,
    spaceAccess,
    spaceEvents,
    presence
  } = deps

  const shown = (member: StoredMember): Member => memberOf(member, presence.of(member.spaceId)(member.id))

  async function list(by: Principal, spaceId: string, page: Paging): Promise<PageOf<Member>> {
    const { space } = await spaceAccess.find(by, spaceId, 'guest')
    const { data, nextCursor } = await memberStore.list({ project: space.project, spaceId }, page)
    return { data: data.map(shown), nextCursor }
  }

  async function record(
    trx: Trx,
    by: Principal,
    name: (typeof names)[number],
    member: StoredMember
  ): Promise<void> {
    const { project, spaceId, owner, id, subjectType, subjectId, role } = member
    const fields = name === 'spaces.member_removed' ? { memberId: id } : { member: toldOf(member) }
    await spaceEvents.publish(trx, project, spaceId, name.slice('spaces.'.length), fields)
    if (name !== 'spaces.member_updated') await tellFleet(trx, name === 'spaces.member_added', member)
    const data = { id, spaceId, subjectType, subjectId, role }
    await facts.record(trx, name, by, { subject: spaceId, owner, data })
  }

  /** Of people it is told when they go, as they follow it no more. */
  async function tellFleet(trx: Trx, isAdded: boolean, member: StoredMember): Promise<void> {
    const { project, spaceId, id: memberId, subjectType, subjectId: agentId, name } = member
    if (subjectType === 'agent') {
      const type = isAdded ? 'agent_joined' : 'agent_left'
      await spaceEvents.publishFleet(trx, project, spaceId, type, { agentId, memberId, name })
    } else if (!isAdded) await spaceEvents.publishFleet(trx, project, spaceId, 'member_removed', { memberId })
  }

  /** 403 unless a principal that is let in so may give this role: nobody gives more than it has. */
  function checkRole(entered: Entered, role: Role): void {
    if (!suffices(entered.role, 'admin'))
      throw forbidden('That takes admin access to the space', { code: 'not_granted' })
    if (role === 'owner' && entered.role !== 'owner')
      throw forbidden('Only an owner makes or unmakes owners', { param: '/role', code: 'not_granted' })
  }

  async function add(by: Principal, spaceId: string, input: NewMember): Promise<Member> {
    const { subjectType, subjectId, role = 'member' } = input
    const subject = { subjectType, subjectId } as const
    const entered = await spaceAccess.find(by, spaceId, 'see')
    const joins =
      isSame(subject, subjectOf(by)) && entered.space.visibility === 'public' && entered.role === null
    if (!joins || role !== 'member') checkRole(entered, role)
    const isAgent = subjectType === 'agent'
    if (isAgent && suffices(role, 'admin')) throw invalid('/role', 'An agent is a member or a guest')
    if (!isAgent && input.answers !== undefined) throw invalid('/answers', 'Agents alone answer')
    const agent = isAgent ? await agents.owned(by, subjectId, 'run', '/subjectId') : undefined
    const name = input.name ?? (agent?.name ?? subjectId).slice(0, 100).trim()
    const { project, owner } = entered.space
    return transaction(async (trx) => {
      await spaces.lock(trx, { project, id: spaceId })
      if (isAgent && !(await agents.takeShare(trx, project, [subjectId])))
        throw notFound('Agent', { param: '/subjectId' })
      if (await memberStore.findOfSubject(trx, { project, spaceId }, subject))
        throw conflict('That is a member already', { code: 'already_member' })
      if ((await memberStore.count(trx, { project, spaceId })) >= settings.members)
        throw conflict(`A space has ${settings.members} members at most`, { code: 'too_many_members' })
      const answers = isAgent ? (input.answers ?? 'mentioned') : null
      const about = { project, owner, spaceId, addedBy: by.owner }
      const member = await members.insert(trx, { ...about, ...subject, role, name, answers } as never)
      await record(trx, by, 'spaces.member_added', member)
      return shown(member)
    })
  }

  /** A member of this space; of another one it is unknown. */
  async function find(spaceId: string, memberId: string): Promise<StoredMember> {
    const member = await members.find(knex, memberId)
    if (member?.spaceId !== spaceId) throw notFound(members.what)
    return member
  }

  async function update(
    by: Principal,
    spaceId: string,
    memberId: string,
    changes: MemberChanges,
    version?: number
  ): Promise<Member> {
    const entered = await spaceAccess.find(by, spaceId, 'guest')
    const found = await find(spaceId, memberId)
    const { readMessageId, ...edits } = changes
    const { role, name, answers } = edits
    const isOwn = entered.memberId === memberId
    if (role !== undefined && role !== found.role) {
      checkRole(entered, found.role === 'owner' ? 'owner' : role)
      if (found.subjectType === 'agent' && suffices(role, 'admin'))
        throw invalid('/role', 'An agent is a member or a guest')
    }
    if (answers !== undefined && answers !== found.answers) {
      if (found.subjectType !== 'agent' || answers === null) throw invalid('/answers', 'Agents alone answer')
      checkRole(entered, 'member')
      // Its runs are those of the person who added it, who pays for them.
      if (answers === 'always' && found.addedBy !== by.owner)
        throw forbidden('Only the person who added an agent has it always answer', {
          code: 'agent_of_another'
        })
    }
    if (name !== undefined && name !== found.name && !isOwn) checkRole(entered, 'member')
    await checkRead(isOwn, found, readMessageId)
    return transaction(async (trx) => {
      await spaces.lock(trx, { project: found.project, id: spaceId })
      const { row, isChanged } = await members.update(trx, found, edits, version)
      if (isChanged) {
        await keepOwner(trx, found)
        await record(trx, by, 'spaces.member_updated', row)
      }
      if (!readMessageId || readMessageId === found.readMessageId) return shown(row)
      await memberStore.replaceMarks(trx, row, { readMessageId })
      presence.tell(spaceId, 'read', { memberId, messageId: readMessageId })
      return shown({ ...row, readMessageId })
    })
  }

  async function checkRead(isOwn: boolean, found: StoredMember, readMessageId: string | null | undefined) {
    if (!readMessageId || readMessageId === found.readMessageId) return
    const param = '/readMessageId'
    if (!isOwn) throw forbidden('Only a member itself says what it has read', { param, code: 'not_granted' })
    if ((await messages.find(knex, readMessageId))?.spaceId !== found.spaceId)
      throw notFound('Message', { param })
  }

  /** 409 where the space has no owner left. Its row is locked. */
  async function keepOwner(trx: Trx, { project, spaceId, role }: StoredMember): Promise<void> {
    if (role !== 'owner' || (await memberStore.countOwners(trx, { project, spaceId })) > 0) return
    throw conflict('A space keeps an owner: make another one first, or delete it', { code: 'last_owner' })
  }

  async function remove(by: Principal, spaceId: string, memberId: string, version?: number) {
    const entered = await spaceAccess.find(by, spaceId, 'guest')
    const found = await find(spaceId, memberId)
    if (entered.memberId !== memberId) checkRole(entered, found.role)
    return transaction(async (trx) => {
      await spaces.lock(trx, { project: found.project, id: spaceId })
      const gone = await members.remove(trx, found, version)
      await keepOwner(trx, gone)
      await record(trx, by, 'spaces.member_removed', gone)
      return { id: memberId, deleted: true as const }
    })
  }

  /** An agent that is gone leaves its spaces. */
  async function agentDeleted(
    { project, id: agentId }: { project: string; id: string },
    trx: Trx,
    limit: number
  ): Promise<number> {
    const gone = await memberStore.takeOfAgent(trx, project, agentId, limit)
    const there = await spaceStore.lockAll(
      trx,
      project,
      gone.map(({ spaceId }) => spaceId)
    )
    for (const member of gone) {
      const { id: memberId, spaceId } = member
      if (!there.has(spaceId)) continue
      await spaceEvents.publish(trx, project, spaceId, 'member_removed', { memberId })
      await tellFleet(trx, false, member)
    }
    return gone.length
  }

  return { list, add, update, remove, agentDeleted }
}
