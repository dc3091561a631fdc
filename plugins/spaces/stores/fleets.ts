import type { Kernel, Trx } from 'agent-platform'
import type { FleetAgent } from '../schemas/fleets.ts'
import { members } from '../schemas/members.ts'

export type FleetStore = ReturnType<typeof createFleetStore>

const STATE = 'spaces.agent_state'
type Report = Partial<Pick<FleetAgent, 'place' | 'note'>>
export interface Place {
  readonly spaceId: string
  readonly agentId: string
  readonly memberId: string
}

export const createFleetStore = ({ knex }: Pick<Kernel, 'knex'>) => ({
  /** The oldest members first. */
  async list(project: string, spaceId: string, limit: number): Promise<FleetAgent[]> {
    const rows = await knex({ m: members.name })
      .leftJoin({ s: STATE }, (on) => on.on('s.project', 'm.project').on('s.agentId', 'm.subjectId'))
      .where({ 'm.project': project, 'm.spaceId': spaceId, 'm.subjectType': 'agent' })
      .orderBy('m.id')
      .limit(limit)
      .select(
        { agentId: 'm.subjectId', memberId: 'm.id', name: 'm.name' },
        's.runIds',
        's.place',
        's.note',
        's.reportedAt'
      )
    return rows.map(({ runIds, ...row }) => ({
      ...row,
      runIds: runIds ?? [],
      isBusy: (runIds ?? []).length > 0
    }))
  },

  /** Where these agents are members. */
  listPlaces: (trx: Trx, project: string, agentIds: readonly string[]): Promise<Place[]> =>
    trx(members.name)
      .where({ project, subjectType: 'agent' })
      .whereIn('subjectId', [...agentIds])
      .orderBy('id')
      .select({ agentId: 'subjectId', memberId: 'id' }, 'spaceId'),

  /** Adds a run to what the agent does, or takes it away; what it does then. */
  async updateRuns(
    trx: Trx,
    project: string,
    agentId: string,
    runId: string,
    isBegun: boolean
  ): Promise<string[]> {
    const change = isBegun ? `(t."runIds" - ?::text) || to_jsonb(?::text)` : `t."runIds" - ?::text`
    const { rows } = await trx.raw(
      `insert into ${STATE} as t (project, "agentId", "runIds") values (?, ?, ?::jsonb)
        on conflict (project, "agentId") do update set "runIds" = ${change} returning "runIds"`,
      [project, agentId, JSON.stringify(isBegun ? [runId] : []), ...(isBegun ? [runId, runId] : [runId])]
    )
    return rows[0].runIds
  },

  async updateReport(trx: Trx, project: string, agentId: string, report: Report): Promise<void> {
    const row = { ...report, reportedAt: trx.fn.now() }
    await trx(STATE)
      .insert({ project, agentId, ...row })
      .onConflict(['project', 'agentId'])
      .merge(row)
  },

  removeOfAgent: ({ project, id }: { project: string; id: string }, trx: Trx): Promise<number> =>
    trx(STATE).where({ project, agentId: id }).delete()
})
