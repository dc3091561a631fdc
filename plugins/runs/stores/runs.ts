import type { Fragment, Kernel, Orphan, Trx } from 'agent-platform'
import type { Appended, Extended, Sessions } from '../../sessions/contract.ts'
import type { Reason, StoredRun } from './row.ts'
import { waitsText } from './steps.ts'

export type RunStore = ReturnType<typeof createRunStore>

const list = [
  'project',
  'id',
  'owner',
  'sessionId',
  'agentId',
  'status',
  'instance',
  'attempt',
  'crashes',
  'step',
  'seq',
  'actor',
  'request',
  'content',
  'finishReason',
  'fallbacks',
  'citations',
  'usage',
  'error',
  'messages',
  'cancelledFor',
  'createdAt',
  'endedAt',
  'sharedBy',
  'sharedAt'
] as const
const findText = `select ${list.map((name) => `r."${name}"`).join(', ')}, r.place as position from runs.run r where r.id = $1`
const repeatedText = `select r.id, r."requestDigest" as digest, r.status from runs.run r
  where r.project = $1 and r."requestKey" = $2`

// Left behind by an instance, or waiting for nothing any more.
const orphanedText = `select r.id, r.crashes + (r.status = 'running' and r.instance = any($1::int[]))::int as crashes
  from runs.run r where r."endedAt" is null and not r.id = any($3::text[])
    and (r.status = 'running' and (r.instance is null or r.instance = $2 or r.instance = any($1::int[]))
      or r.status = 'waiting' and not (${waitsText('r.project', 'r.id')}))
  order by r.id limit 200`
const cancelledText = `select r.id, r."cancelledFor" from runs.run r where r."endedAt" is null and r."cancelledFor" is not null
  and (r.status <> 'running' or r.instance = $1) order by r.id limit 200`
const nextText = `select distinct on (r.project, r."sessionId") r.id from runs.run r
  where r."endedAt" is null and r.status = 'queued'
    and ($1::text is null or (r.project = $1 and r."sessionId" = $2))
    and not exists (select from runs.run o where o.project = r.project and o."sessionId" = r."sessionId"
      and o.status in ('running', 'waiting'))
  order by r.project, r."sessionId", r.place limit 200`
// By id: a plan made while the table is small would go through all runs of a project.
const takeText = `update runs.run r set status = 'running', instance = $3, attempt = r.attempt + $6,
    crashes = r.crashes + case when r.instance <> $3 then 1 else 0 end, messages = null
  where r.project || '' = $1 and r.id = $2 and r.attempt = $4 and r.status = $5 and r."endedAt" is null
    and r.instance is not distinct from $7::int
  returning r.id`
const placed: Fragment = {
  text: 'select x.session, x.position from extended x where exists (select from run)',
  values: []
}
// A rollback wins over every other reason to end it.
const cancelText = `update runs.run r
  set "cancelledFor" = case $3 when 'rollback' then $3 else coalesce(r."cancelledFor", $3) end
  where r.project = $1 and r.id = any($2::text[]) and r."endedAt" is null returning r.id`
const beforeText = `select r.id from runs.run r
  where r.project = $1 and r."sessionId" = $2 and r.place < $3 and r."endedAt" is null`

const descendText = `update runs.run r set descendants = r.descendants + 1
  where r.project || '' = $1 and r.id = $2 and r.descendants < $3 returning r.id`

/** An agent, or one session of it. */
export interface Parent {
  readonly project: string
  readonly agentId: string
  readonly sessionId?: string
}

type Repeated = Pick<StoredRun, 'id' | 'status'> & { readonly digest: string }

export interface Take {
  readonly run: StoredRun
  readonly instance: number
  /** Of a run that was queued: its place in the session. */
  readonly extends: Extended | undefined
  readonly appended: readonly Appended[]
}

interface Deps extends Pick<Kernel, 'knex' | 'hot'> {
  sessions: Sessions
}

/** Runs as they are read, owned, handed on and cancelled. */
export function createRunStore({ knex, hot, sessions }: Deps) {
  const ids = async (name: string, text: string, values: readonly unknown[]) =>
    (await hot.query<{ id: string }>(name, text, values)).map(({ id }) => id)
  const at = (trx: Trx | undefined, { project, id }: { project: string; id: string }) =>
    (trx ?? knex)('runs.run').where({ project, id }).whereNull('endedAt')

  return {
    /** By id alone, across projects: 403 and 404 differ by it. */
    async find(id: string): Promise<StoredRun | undefined> {
      return (await hot.query<StoredRun>('runs.find', findText, [id]))[0]
    },

    /** The one that its session is at. */
    findActive: (project: string, sessionId: string): Promise<StoredRun | undefined> => {
      const active = knex('runs.run').where({ project, sessionId }).whereIn('status', ['running', 'waiting'])
      return active.first(...list, 'place as position')
    },

    /** The run that a request with that key made, the digest of its body, and how it goes. */
    async findRepeated(project: string, key: string): Promise<Repeated | undefined> {
      return (await hot.query<Repeated>('runs.repeated', repeatedText, [project, key]))[0]
    },
    /** The key stands for another run from now on. */
    removeRequestKey: (project: string, id: string): Promise<number> =>
      knex('runs.run').where({ project, id }).update({ requestKey: null, requestDigest: null }),

    /** Those that no process executes: of instances that died, or of that one, but for these runs. */
    listOrphaned: (dead: readonly number[], self: number, but: readonly string[]) =>
      hot.query<Orphan>('runs.orphaned', orphanedText, [dead, self, but]),
    /** Those that are to be cancelled and that no process executes, or that instance does. */
    listCancelled: (instance: number) =>
      hot.query<Pick<StoredRun, 'id'> & { cancelledFor: Reason }>('runs.cancelled', cancelledText, [
        instance
      ]),
    /** The first that is queued in each session without an active run, or in one session. */
    listNext: (project?: string, sessionId?: string) =>
      ids('runs.next', nextText, [project ?? null, sessionId ?? null]),
    async countUnfinished(project: string, sessionId: string): Promise<number> {
      const [row] = await knex('runs.run')
        .where({ project, sessionId })
        .whereNull('endedAt')
        .count({ runs: '*' })
      return Number(row?.runs)
    },
    /** The unfinished runs of a session that came before one. */
    listBefore: (project: string, sessionId: string, position: number) =>
      ids('runs.before', beforeText, [project, sessionId, position]),

    /** One more descends from that run; false when so many do already, and when it is gone. */
    takeDescendant: async (project: string, id: string, most: number): Promise<boolean> =>
      (await ids('runs.descend', descendText, [project, id, most])).length > 0,
    removeDescendant: (project: string, id: string): Promise<number> =>
      knex('runs.run').where({ project, id }).where('descendants', '>', 0).decrement('descendants'),

    /** From now on that instance executes it; false when another was faster. */
    async take({ run, instance, extends: extended, appended }: Take): Promise<boolean> {
      const again = run.status === 'running' ? 1 : 0
      const values = [run.project, run.id, instance, run.attempt, run.status, again, run.instance]
      try {
        const rows = await hot.together<{ id: string }>(
          'runs.take',
          {
            extended: sessions.fragments.extend(extended ? [extended] : []),
            run: { text: takeText, values },
            placed,
            message: sessions.fragments.append(appended, 'placed')
          },
          'select id from run'
        )
        return rows.length > 0
      } catch (error) {
        // The session has another active run.
        if ((error as { code?: unknown }).code === '23505') return false
        throw error
      }
    },

    /** Of these, the ones that had not ended: they are to be cancelled. */
    updateCancelled: (project: string, runs: readonly string[], reason: string) =>
      ids('runs.cancel', cancelText, [project, runs, reason]),

    /** Unless it has ended. */
    update: (
      trx: Trx | undefined,
      run: Pick<StoredRun, 'project' | 'id'>,
      changes: object
    ): Promise<number> => at(trx, run).update(changes),

    /** No instance's from now on, if it was that one's. */
    settleRelease: (run: Pick<StoredRun, 'project' | 'id' | 'attempt'>, instance: number): Promise<number> =>
      at(undefined, run).where({ instance, attempt: run.attempt }).update({ instance: null }),

    /** Locked for what a transaction decides; undefined once it has ended. */
    takeLocked: (trx: Trx, run: Pick<StoredRun, 'project' | 'id'>): Promise<StoredRun | undefined> =>
      at(trx, run)
        .forUpdate()
        .first(...list, 'place as position'),

    listUnfinished: (trx: Trx, of: Pick<StoredRun, 'project'> & Partial<StoredRun>): Promise<string[]> =>
      trx('runs.run').where(of).whereNull('endedAt').pluck('id'),

    /** Some that have ended. */
    listEnded: (trx: Trx, limit: number, of: Parent): Promise<string[]> =>
      trx('runs.run').where(of).whereNotNull('endedAt').limit(limit).pluck('id'),

    async remove(trx: Trx, project: string, runs: readonly string[]): Promise<void> {
      for (const table of ['runs.call', 'runs.step'])
        await trx(table)
          .where({ project })
          .whereIn('runId', [...runs])
          .delete()
      await trx('runs.run')
        .where({ project })
        .whereIn('id', [...runs])
        .delete()
    },

    /** Repetitions are recognised for a day. */
    removeRequestKeys: (): Promise<number> =>
      knex('runs.run')
        .whereNotNull('requestKey')
        .where('createdAt', '<', knex.raw(`now() - interval '24 hours'`))
        .update({ requestKey: null, requestDigest: null })
  }
}
