import type { Chunk, Fragment, Kernel, Recorded } from 'agent-platform'
import { createBatch, single } from 'agent-platform'
import type { Appended, Extended, Sessions } from '../../sessions/contract.ts'
import type { ContextItem } from '../contract.ts'
import type { Citation } from '../schemas/events.ts'
import type { FinishReason, Run, Usage } from '../schemas/runs.ts'
import type { RunError } from './row.ts'

export type EndStore = ReturnType<typeof createEndStore>

/** How a run ends, with all that one statement makes true. */
export interface End {
  readonly project: string
  readonly id: string
  readonly status: Run['status']
  readonly content: string | null
  readonly finishReason: FinishReason | null
  /** Null where nothing is cited. */
  readonly citations: readonly Citation[] | null
  /** What packs put into its prompts; null for nothing. */
  readonly sources: readonly ContextItem[] | null
  readonly usage: Usage
  readonly error: RunError | null
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly endedAt: string
  readonly extends: Extended | undefined
  readonly appended: readonly Appended[]
  /** What the run brought to its session is taken back. */
  readonly isSilent: boolean
  readonly chunk: Chunk
  readonly fact: Recorded
}

export interface Ended {
  readonly id: string
  /** Of the reply in the session; null where there is none. */
  readonly position: number | null
}

const columns = [
  ['status', 'text'],
  ['content', 'text'],
  ['finishReason', 'text'],
  ['citations', 'jsonb'],
  ['sources', 'jsonb'],
  ['usage', 'jsonb'],
  ['error', 'jsonb'],
  ['modelProvider', 'text'],
  ['modelId', 'text'],
  ['endedAt', 'timestamptz']
] as const
const set = columns.map(([name, type]) =>
  type === 'jsonb'
    ? `"${name}" = nullif($1::jsonb -> t.id -> '${name}', 'null')`
    : `"${name}" = ($1::jsonb -> t.id ->> '${name}')::${type}`
)
// By the index on `id`, and without a join: a plan made while the table is small would go through all of it.
// Who would cancel what has ended by itself came too late.
const updateText = `update runs.run t set ${set.join(', ')}, instance = null, messages = null,
    "cancelledFor" = case $1::jsonb -> t.id ->> 'status' when 'cancelled' then t."cancelledFor" end
  where t.id = any (array(select k.stream from chunk k)) and $1::jsonb -> t.id ->> 'project' = t.project
    and num_nulls(t."endedAt") = 1
  returning t.project, t.id, t."sessionId" as session, t."cancelledFor"`
const setOne = columns.map(([name, type], index) => `"${name}" = $${index + 3}::${type}`)
const updateOneText = `update runs.run t set ${setOne.join(', ')}, instance = null, messages = null,
    "cancelledFor" = case when $3 = 'cancelled' then t."cancelledFor" end
  where t.id = $2 and t.project || '' = $1 and num_nulls(t."endedAt") = 1
    and exists (select from chunk k where k.stream = $2)
  returning t.project, t.id, t."sessionId" as session, t."cancelledFor"`
// The record knows best whether a run is taken back: another one may have asked for that a moment ago.
const undone = (silent: readonly string[]): Fragment => ({
  text: `select r.project, r.session, r.id as run from run r
    where r."cancelledFor" = 'rollback' or r.id = any($1::text[])`,
  values: [silent]
})
const kept: Fragment = {
  text: `select r.session from run r where r."cancelledFor" is distinct from 'rollback'`,
  values: []
}
const rest = 'select r.id, x.position from run r left join extended x on x.session = r.session'

interface Deps extends Pick<Kernel, 'hot' | 'streams' | 'facts'> {
  sessions: Sessions
}

/** Ends runs: last events, reply, run, session and fact in one statement, batched while others wait. */
export function createEndStore({ hot, streams, facts, sessions }: Deps) {
  async function settleAll(ends: readonly End[]): Promise<readonly (Ended | undefined)[]> {
    const recorded = ends.map(({ fact }) => fact)
    // Most batches have none: they do without these queries.
    const takesBack = ends.some(({ status, isSilent }) => status === 'cancelled' || isSilent)
    const silent = ends.filter(({ isSilent }) => isSilent).map(({ id }) => id)
    const rows = await hot.together<Ended>(
      takesBack ? 'runs.end.undone' : 'runs.end',
      {
        chunk: streams.fragment(ends.map(({ chunk }) => chunk)),
        run: runsOf(ends),
        ...(takesBack && { undone: undone(silent), removed: sessions.fragments.takeBack('undone'), kept }),
        extended: sessions.fragments.extend(
          ends.flatMap((end) => end.extends ?? []),
          takesBack ? 'kept' : 'run'
        ),
        message: sessions.fragments.append(
          ends.flatMap(({ appended }) => appended),
          'extended'
        ),
        fact: facts.rows(recorded, 'run')
      },
      rest
    )
    facts.recorded(recorded)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ends.map(({ id }) => byId.get(id))
  }

  /** Undefined when nothing was made: another instance executes it, or it has ended. */
  const settle = createBatch(settleAll, { lane: (end) => end.extends?.id })
  return { settle }
}

function runsOf(ends: readonly End[]): Fragment {
  const one = single(ends)
  if (!one) return { text: updateText, values: [JSON.stringify(Object.fromEntries(ends.map(rowOf)))] }
  const values = columns.map(([name, type]) =>
    type === 'jsonb' && one[name] !== null ? JSON.stringify(one[name]) : one[name]
  )
  return { text: updateOneText, values: [one.project, one.id, ...values] }
}

const rowOf = (end: End) => {
  const { project, id } = end
  return [id, { project, ...Object.fromEntries(columns.map(([name]) => [name, end[name]])) }]
}
