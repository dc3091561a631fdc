import type { Kernel, Owned, Trx } from 'agent-platform'
import type { RunOrder } from '../../runs/contract.ts'
import type { Beat } from '../schemas.ts'
import { beats } from '../schemas.ts'

export type BeatStore = ReturnType<typeof createBeatStore>
export type BeatRow = Beat & Owned & { readonly order: RunOrder | null }
export type NewBeat = Owned & Pick<Beat, 'agentId' | 'trigger' | 'status'> & Partial<BeatRow>

interface Key {
  readonly project: string
  readonly agentId: string
}

/** What was used of the caps. */
export interface Used {
  readonly beats: number
  readonly tokens: number
}

const DAY_MS = 86_400_000

export function createBeatStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on<BeatRow>('autonomy.beat')
  return {
    find: (id: string, on: Kernel['knex'] | Trx = knex) => beats.find(on, id),
    findOfRun: (project: string, runId: string): Promise<BeatRow | undefined> =>
      rows()
        .where({ project, runId })
        .first(...(beats.columns as 'id'[])) as never,

    /** Those of these runs that have not ended. */
    listOpenOf: (trx: Trx, project: string, runIds: readonly string[]): Promise<BeatRow[]> =>
      trx('autonomy.beat')
        .where({ project, endedAt: null })
        .whereIn('runId', [...runIds])
        .orderBy('id')
        .select(...beats.columns),

    /** Undefined for a beat that was there at that due time, or of that run, before. */
    async insert(trx: Trx, beat: NewBeat & { id: string }): Promise<BeatRow | undefined> {
      const row = { ...beat, ...(beat.order && { order: JSON.stringify(beat.order) }) }
      const made = await trx('autonomy.beat').insert(row).onConflict().ignore().returning(beats.columns)
      return made[0]
    },

    /** Its run has begun; false when that was known, or it has ended. */
    async updateStarted(trx: Trx, { project, id }: BeatRow, sessionId: string): Promise<boolean> {
      const starting = rows(trx).where({ project, id, status: 'starting' })
      return (await starting.update({ status: 'running', sessionId, order: null })) > 0
    },

    /** Ends it; undefined when it had ended before. */
    async settle(trx: Trx, { project, id }: BeatRow, end: Partial<BeatRow>): Promise<BeatRow | undefined> {
      const open = trx('autonomy.beat').where({ project, id, endedAt: null })
      const [row] = await open.update({ ...end, order: null }).returning(beats.columns)
      return row
    },

    /** The one whose run is to begin. */
    findStarting: (trx: Trx, { project, agentId }: Key): Promise<BeatRow | undefined> =>
      rows(trx)
        .where({ project, agentId, status: 'starting' })
        .first(...(beats.columns as 'id'[])) as never,

    findLast: ({ project, agentId }: Key): Promise<BeatRow | undefined> =>
      rows()
        .where({ project, agentId })
        .whereNot({ trigger: 'external' })
        .orderBy('id', 'desc')
        .first(...(beats.columns as 'id'[])) as never,

    /** Beats of the heartbeat in the day since then that were not skipped, and what they took. */
    async countSince({ project, agentId }: Key, since: Date, on?: Trx): Promise<Used> {
      const row = await rows(on)
        .where({ project, agentId })
        .where('createdAt', '>=', since as never)
        // Those of a clock that was ahead are no day's.
        .where('createdAt', '<', new Date(since.getTime() + 2 * DAY_MS) as never)
        .whereNot({ trigger: 'external' })
        .whereNot({ status: 'skipped' })
        .first(knex.raw('count(*)::int as beats, coalesce(sum(tokens), 0)::int8 as tokens'))
      const { beats = 0, tokens = 0 } = (row ?? {}) as Partial<Used>
      return { beats, tokens: Number(tokens) }
    },

    /** Some that are older than that; says how many. */
    removeOld: (days: number, limit: number): Promise<number> =>
      rows()
        .whereIn(
          'id',
          rows()
            .where('createdAt', '<', knex.raw(`now() - ? * interval '1 day'`, [days]))
            .limit(limit)
            .select('id')
        )
        .delete()
  }
}
