import type { Kernel, PageOf, Principal } from 'agent-platform'
import { subjectOf } from 'agent-platform'
import { members } from '../schemas/members.ts'
import type { FullSpace, NewSpace, Space, SpaceChanges, SpaceQuery, StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { Entered, SpaceAccess } from '../stores/access.ts'
import type { MemberStore } from '../stores/members.ts'
import type { MessageStore } from '../stores/messages.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import type { SpaceEvents } from './events.ts'
import { fleetOf, memberOf, messageOf } from './events.ts'
import type { Presence } from './presence.ts'

export type SpaceService = ReturnType<typeof createSpaceService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'streams'> {
  spaceStore: SpaceStore
  memberStore: MemberStore
  messageStore: MessageStore
  spaceAccess: SpaceAccess
  spaceEvents: SpaceEvents
  presence: Presence
}

/** Of each, in `…/full`. */
const MOST = 100

export function createSpaceService(deps: Deps) {
  const {
    transaction,
    facts,
    streams,
    spaceStore,
    memberStore,
    messageStore,
    spaceAccess,
    spaceEvents,
    presence
  } = deps

  async function create(by: Principal, input: NewSpace): Promise<Space> {
    const { name, description = null, visibility = 'private' } = input
    const { project, owner } = by
    const isAgent = by.type === 'agent'
    return transaction(async (trx) => {
      const space = await spaces.insert(trx, { project, owner, name, description, visibility })
      const about = { project, owner, spaceId: space.id, addedBy: owner } as const
      // An agent's space is its owner's; the agent works in it as a member.
      const first = isAgent ? ({ subjectType: 'user', subjectId: owner } as const) : subjectOf(by)
      await members.insert(trx, {
        ...about,
        ...first,
        role: 'owner',
        name: first.subjectId.slice(0, 100)
      } as never)
      if (isAgent)
        await members.insert(trx, {
          ...about,
          subjectType: 'agent',
          subjectId: by.id,
          role: 'member',
          name: by.id,
          answers: 'mentioned'
        })
      await spaceEvents.publish(trx, project, space.id, 'space_created', { space: told(space) })
      await spaceEvents.publishFleet(trx, project, space.id, 'fleet_created', {})
      await facts.record(trx, 'spaces.created', by, { subject: space.id, owner, data: space })
      return shown({ space, role: isAgent ? 'member' : 'owner' })
    })
  }

  const page = ({ data, nextCursor }: Awaited<ReturnType<SpaceStore['list']>>): PageOf<Space> => ({
    data: data.map(shown),
    nextCursor
  })
  const list = async (by: Principal, query: SpaceQuery) => page(await spaceStore.list(by, query))
  const listPublic = async (by: Principal, query: SpaceQuery) => page(await spaceStore.listPublic(by, query))
  const read = async (by: Principal, id: string) => shown(await spaceAccess.find(by, id, 'see'))

  async function readFull(by: Principal, id: string): Promise<FullSpace> {
    const found = await spaceAccess.find(by, id, 'guest')
    const { project } = found.space
    // Read first: what is posted meanwhile may be in the messages and comes again, and nothing is missed.
    const seq = (await streams.state(project, id))?.last ?? -1
    const [all, latest] = await Promise.all([
      memberStore.list({ project, spaceId: id }, { limit: MOST }),
      messageStore.listLatest(project, id, { limit: MOST })
    ])
    const isPresent = presence.of(id)
    return {
      ...shown(found),
      members: all.data.map((member) => memberOf(member, isPresent(member.id))),
      messages: latest.map(messageOf),
      seq
    }
  }

  async function update(by: Principal, id: string, changes: SpaceChanges, version?: number): Promise<Space> {
    const { space: found, role } = await spaceAccess.find(by, id, 'admin')
    return transaction(async (trx) => {
      const { row: space, isChanged } = await spaces.update(trx, found, changes, version)
      if (isChanged) {
        await spaceEvents.publish(trx, space.project, id, 'space_updated', { space: told(space) })
        await facts.record(trx, 'spaces.updated', by, { subject: id, owner: space.owner, data: space })
      }
      return shown({ space, role })
    })
  }

  /** What was said in it goes soon after, in batches; its streams go at once. */
  async function remove(by: Principal, id: string, version?: number) {
    const { space } = await spaceAccess.find(by, id, 'owner')
    return transaction(async (trx) => {
      await spaces.remove(trx, space, version)
      for (const stream of [id, fleetOf(id)]) await streams.remove(trx, space.project, stream)
      await facts.record(trx, 'spaces.deleted', by, { subject: id, owner: space.owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  return { create, list, listPublic, read, readFull, update, remove }
}

const told = ({ project: _, ...space }: StoredSpace) => space
const shown = ({ space, role }: Pick<Entered, 'space' | 'role'>): Space => ({
  ...told(space),
  role,
  fleetId: fleetOf(space.id)
})
