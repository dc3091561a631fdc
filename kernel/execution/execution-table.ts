import type { Cancelled, ExecutionRow, Orphan } from '../contract/execution.ts'
import type { Kernel } from '../contract/kernel.ts'
import type { Fragment } from '../database/hot.ts'
import type { Trx } from '../database/transaction.ts'
import type { EventInput, Streams, Writer } from '../streams/stream.ts'

/** Execution that takes its process with it would otherwise take them all, one after another. */
const MOST_CRASHES = 3
/** Hand-overs count here too; those of an operator who reloads all day are no reason to end one. */
const MOST_ATTEMPTS = 1_000
const CLAIMS = 5
const LIST = 200
/** Owners of whom one look finds something. */
const HOLDERS = 200

/** Whether it was interrupted too often to be tried again. */
export const isExhausted = ({ crashes, attempt }: Pick<ExecutionRow, 'crashes' | 'attempt'>): boolean =>
  crashes >= MOST_CRASHES || attempt > MOST_ATTEMPTS

/**
 * The writer of the stream of what this process has claimed, behind what another one, taken for dead, may have added
 * meanwhile; undefined when that has ended it, or goes on.
 */
export async function takeOver(
  streams: Pick<Streams, 'claim' | 'state'>,
  { project, id }: Pick<ExecutionRow, 'project' | 'id'>,
  idField: string,
  first: EventInput
): Promise<Writer | undefined> {
  for (let tries = 0; tries < CLAIMS; tries++) {
    const writer = await streams.claim(project, id, idField, first)
    if (writer) return writer
    if ((await streams.state(project, id))?.ended !== false) return undefined
  }
  return undefined
}

interface Options {
  /** Names the stream's id in each event, such as `executionId`. */
  readonly idField: string
}

/** What this process executes from now on, and the writer of its stream. */
export interface Claimed<R> {
  readonly row: R
  readonly writer: Writer
  /** Another process, or this one before a hand-over, was at it: its first event said so. */
  readonly resumed: boolean
  /** It was interrupted too often to be tried again: it is to be ended as `failed`, code `too_many_attempts`. */
  readonly exhausted: boolean
}

type Found = Orphan & Pick<ExecutionRow, 'project' | 'owner'> & { readonly nth: number }

export type ExecutionTable<R extends ExecutionRow> = ReturnType<typeof executionTable<R>>

/**
 * The record of executions in a table `<pack>.<name>` that has the columns of `ExecutionRow`, `wakes integer not null
 * default 0` and the like, and partial indexes where "endedAt" is null: on `project, owner, id` of those that are queued or
 * running, and on `id` of those with "cancelledFor". The stream of the same id is the fence: a process that was taken for dead can add nothing to
 * it, so whatever it writes goes with a commit of the stream.
 */
export function executionTable<R extends ExecutionRow>(
  { hot, streams, instances }: Pick<Kernel, 'hot' | 'streams' | 'instances'>,
  table: string,
  { idField }: Options
) {
  const [schema, name] = table.split('.')
  const at = `${schema}."${name}"`
  const label = (verb: string) => `${table}.${verb}`
  // By the index on `id`: plans are made while the table is small, when any index that begins with the project seems as
  // good, and would go through all that the project has.
  const ofRow = `x.id = $2 and x.project || '' = $1`
  const claimText = `update ${at} x set status = 'running', instance = $2,
      attempt = x.attempt + (x.status = 'running')::int,
      crashes = x.crashes + coalesce(x.status = 'running' and x.instance <> $2, false)::int
    where x.id = $1 and x."endedAt" is null
      and (x.status = 'queued' or x.status = 'waiting' and x."cancelledFor" is not null
        or x.status = 'running' and (x.instance is null or x.instance = $2 or x.instance = any($3::int[])))
    returning x.*, (select o.status from ${at} o where o.id = x.id and o.project || '' = x.project) as before`
  const releaseText = `update ${at} x set status = $5, instance = null, crashes = 0
    where ${ofRow} and x.attempt = $3 and x.instance = $4 and x."endedAt" is null
      and ($5 <> 'waiting' or x.wakes = $6 and x."cancelledFor" is null)
    returning x.id`
  const settleText = `update ${at} x set crashes = 0 where ${ofRow} and x.crashes > 0 returning x.id`
  const wakesText = `select x.wakes from ${at} x where ${ofRow}`
  const active = `x."endedAt" is null and x.status in ('queued', 'running')`
  const next = (after: string) => `select x.project, x.owner from ${at} x
    where ${active} and (x.project, x.owner) > ${after} order by x.project, x.owner limit 1`
  // Owners take turns, those of whom the least is executed here first. They are found one by one in the index: a backlog of
  // one owner costs the others nothing.
  const orphanedText = `with recursive holder as (
      (select f.*, 1 as nth from (${next('($4, $5)')}) f)
      union all select n.*, h.nth + 1 from holder h cross join lateral (${next('(h.project, h.owner)')}) n
    )
    select h.*, o.id, o.crashes from (select * from holder limit ${HOLDERS}) h
      cross join lateral (select count(*) as busy from ${at} x
        where x.project = h.project and x.owner = h.owner and ${active} and x.status = 'running' and x.instance = $2) b
      cross join lateral (select x.id, row_number() over (order by x.id) as turn,
          x.crashes + coalesce(x.status = 'running' and x.instance = any($1::int[]), false)::int as crashes
        from ${at} x where x.project = h.project and x.owner = h.owner and ${active} and not x.id = any($3::text[])
          and (x.status = 'queued' or x.instance is null or x.instance = $2 or x.instance = any($1::int[]))
        order by x.id limit ${LIST}) o
    where b.busy + o.turn <= $6::float8
    order by b.busy + o.turn, o.id limit ${LIST}`
  /** Where the next look for owners begins; at the first of them unless there were too many. */
  let after: readonly [string, string] = ['', '']
  const cancelledText = `select x.project, x.owner, x.id, x."cancelledFor" from ${at} x
    where x."endedAt" is null and x."cancelledFor" is not null and (x.status <> 'running' or x.instance = $1)
    order by x.id limit ${LIST}`

  const releasing = (
    row: Pick<R, 'project' | 'id' | 'attempt' | 'wakes'>,
    status: 'queued' | 'waiting'
  ): Fragment => ({
    text: releaseText,
    values: [row.project, row.id, row.attempt, instances.id(), status, row.wakes]
  })

  async function claim(id: string): Promise<Claimed<R> | undefined> {
    const self = instances.id()
    if (self === undefined) return undefined
    const [row] = await hot.query<R & { before: ExecutionRow['status'] }>(label('claim'), claimText, [
      id,
      self,
      await instances.dead()
    ])
    if (!row) return undefined
    const resumed = row.before === 'running'
    const fields = resumed ? { status: 'resumed', attempt: row.attempt } : { status: 'running' }
    const writer = await takeOver(streams, row, idField, { type: 'status', fields })
    return writer && { row, writer, resumed, exhausted: isExhausted(row) }
  }

  return {
    /** This process executes it from now on; undefined when it has ended, waits, or another process is at it. */
    claim,

    /**
     * No instance's from now on: `queued` for the next one that claims it, `waiting` until it is woken. False when it was
     * woken or cancelled since `wakes` was read: there is more to do here.
     */
    async release(
      row: Pick<R, 'project' | 'id' | 'attempt' | 'wakes'>,
      status: 'queued' | 'waiting'
    ): Promise<boolean> {
      return (await hot.query(label('release'), releaseText, releasing(row, status).values)).length > 0
    },

    /** `release` as a part of a statement, with its last event, say; no row, which has the `id`, where that is false. */
    releasing,

    /** A step has finished: what its process died of before is forgiven. */
    async settle({ project, id, crashes }: Pick<R, 'project' | 'id' | 'crashes'>): Promise<void> {
      if (crashes > 0) await hot.query(label('settle'), settleText, [project, id])
    },

    /** What `release` is to be told. */
    async wakes(project: string, id: string): Promise<number> {
      const [row] = await hot.query<{ wakes: number }>(label('wakes'), wakesText, [project, id])
      return row?.wakes ?? 0
    },

    /** In the transaction of what it waits for; `executions.wake` after the commit. */
    async wake(trx: Trx, project: string, ids: readonly string[]): Promise<void> {
      await trx(table)
        .where({ project })
        .whereIn('id', [...ids])
        .whereNull('endedAt')
        .update({
          wakes: trx.raw('wakes + 1'),
          status: trx.raw(`case status when 'waiting' then 'queued' else status end`)
        })
    },

    /** In the caller's transaction; `executions.cancel` for each after the commit. Those that had not ended. */
    cancel: (
      trx: Trx,
      project: string,
      ids: readonly string[],
      reason: string
    ): Promise<Pick<ExecutionRow, 'project' | 'owner' | 'id'>[]> =>
      trx(table)
        .where({ project })
        .whereIn('id', [...ids])
        .whereNull('endedAt')
        .update({ cancelledFor: trx.raw('coalesce("cancelledFor", ?)', [reason]) })
        .returning(['project', 'owner', 'id']),

    /** By turns of their owners, of each no more than its share. */
    async listOrphaned(
      dead: readonly number[],
      self: number,
      held: readonly string[],
      share: number
    ): Promise<readonly Orphan[]> {
      const values = [dead, self, held, ...after, share]
      const rows = await hot.query<Found>(label('orphaned'), orphanedText, values)
      const last = rows.find(({ nth }) => nth === HOLDERS)
      after = last ? [last.project, last.owner] : ['', '']
      return rows
    },
    listCancelled: (self: number) => hot.query<Cancelled>(label('cancelled'), cancelledText, [self])
  }
}
