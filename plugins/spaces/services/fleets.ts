import type { Fact, Kernel, PageOf, Principal, Trx } from 'agent-platform'
import { forbidden, invalid, notFound, pageOf } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { FleetEvent, Peer, PeerQuery, World } from '../schemas/fleets.ts'
import type { Entered, SpaceAccess } from '../stores/access.ts'
import { suffices } from '../stores/access.ts'
import type { FleetStore } from '../stores/fleets.ts'
import type { MemberStore } from '../stores/members.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import type { SpaceEvents } from './events.ts'
import { spaceOf } from './events.ts'

export type FleetService = ReturnType<typeof createFleetService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'streams' | 'limits'> {
  agents: Agents
  spaceStore: SpaceStore
  memberStore: MemberStore
  fleetStore: FleetStore
  spaceAccess: SpaceAccess
  spaceEvents: SpaceEvents
}
type AboutRun = Pick<Fact<{ readonly runId: string; readonly agentId: string }>, 'project' | 'data'>

const MOST = 1_000
const EVENTS_PER_MINUTE = 600

/** The agents of a space as a fleet: what each does, told in order. */
export function createFleetService(deps: Deps) {
  const { knex, transaction, streams, limits, agents } = deps
  const { spaceStore, memberStore, fleetStore, spaceAccess, spaceEvents } = deps

  async function find(by: Principal, id: string, param?: string): Promise<Entered> {
    if (!id.startsWith('fleet_')) throw notFound('Fleet', { ...(param && { param }) })
    try {
      return await spaceAccess.find(by, spaceOf(id), 'guest')
    } catch (error) {
      const { kind, code } = error as { kind?: string; code?: string }
      if (kind === 'notFound') throw notFound('Fleet', { ...(param && { param }) })
      if (kind === 'forbidden')
        throw forbidden('That takes a member of the fleet’s space', {
          ...(code && { code }),
          ...(param && { param })
        })
      throw error
    }
  }

  async function world(by: Principal, id: string): Promise<World> {
    const { space } = await find(by, id)
    // Read first: an update that comes meanwhile is followed, and may be in the world already.
    const seq = (await streams.state(space.project, id))?.last ?? -1
    const all = await fleetStore.list(space.project, space.id, MOST)
    return { id, spaceId: space.id, name: space.name, agents: all, seq }
  }

  async function peers(by: Principal, id: string, { agentId, ...page }: PeerQuery): Promise<PageOf<Peer>> {
    const { space } = await find(by, id)
    const all = await fleetStore.list(space.project, space.id, MOST)
    const asking = agentId ?? (by.type === 'agent' ? by.id : undefined)
    if (agentId !== undefined && !all.some((it) => it.agentId === agentId))
      throw notFound('Agent', { param: 'agentId' })
    const pinned = asking === undefined ? [] : await agents.peers(by, asking)
    const preferred = new Set(pinned.map((it) => it.agentId))
    const others = all
      .filter((it) => it.agentId !== asking)
      .map((it) => ({ ...it, isPreferred: preferred.has(it.agentId) }))
      .sort((a, b) => Number(b.isPreferred) - Number(a.isPreferred))
    return pageOf('peers', others, page)
  }

  async function report(by: Principal, { fleetId, agentId, type, place, note, data }: FleetEvent) {
    const { space, role } = await find(by, fleetId, '/fleetId')
    const { project, id: spaceId } = space
    const member = await memberStore.findOfSubject(
      knex,
      { project, spaceId },
      { subjectType: 'agent', subjectId: agentId }
    )
    if (!member) throw notFound('Agent', { param: '/agentId' })
    const isIts =
      by.type === 'agent' ? by.id === agentId : member.addedBy === by.owner || suffices(role, 'admin')
    if (!isIts)
      throw forbidden('The agent, who brought it, or an admin reports what it does', {
        param: '/agentId',
        code: 'not_granted'
      })
    if (JSON.stringify(data ?? {}).length > 8_000) throw invalid('/data', 'data is too large')
    await limits.count('spaces.fleet_events', `${project}/${agentId}`, EVENTS_PER_MINUTE)
    await transaction(async (trx) => {
      if (!(await spaceStore.lockAll(trx, project, [spaceId])).has(spaceId))
        throw notFound('Fleet', { param: '/fleetId' })
      const said = { ...(place !== undefined && { place }), ...(note !== undefined && { note }) }
      if (Object.keys(said).length > 0) await fleetStore.updateReport(trx, project, agentId, said)
      const event = { type, ...said, ...(data && { data }) }
      await spaceEvents.publishFleet(trx, project, spaceId, 'agent_reported', {
        agentId,
        memberId: member.id,
        event
      })
    })
    return { fleetId, agentId, type }
  }

  /** Runs of agents that are members of spaces, in the transaction that takes notice of the fact. */
  const runs =
    (isBegun: boolean) =>
    async (facts: readonly AboutRun[], trx: Trx): Promise<void> => {
      for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
        const places = await fleetStore.listPlaces(trx, project, [
          ...new Set(about.map(({ data }) => data.agentId))
        ])
        if (places.length === 0) continue
        const there = await spaceStore.lockAll(trx, project, [
          ...new Set(places.map(({ spaceId }) => spaceId))
        ])
        for (const { data } of about) {
          const own = places.filter(({ agentId, spaceId }) => agentId === data.agentId && there.has(spaceId))
          if (own.length === 0) continue
          const runIds = await fleetStore.updateRuns(trx, project, data.agentId, data.runId, isBegun)
          const state = { agentId: data.agentId, runIds, isBusy: runIds.length > 0 }
          for (const { spaceId, memberId } of own)
            await spaceEvents.publishFleet(trx, project, spaceId, 'agent_updated', { ...state, memberId })
        }
      }
    }

  return { find, world, peers, report, runs }
}
