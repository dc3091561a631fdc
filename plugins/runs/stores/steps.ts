import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Chunk, Kernel, Trx } from 'agent-platform'
import type { Knex } from 'knex'
import type { CallUsage } from '../execute/usage.ts'
import type { FinishReason } from '../schemas/runs.ts'
import type { StoredRun } from './row.ts'

export type StepStore = ReturnType<typeof createStepStore>

export type ReplyPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

export interface CallRow {
  readonly id: string
  readonly runId: string
  readonly step: number
  readonly position: number
  /** As the model named it. */
  readonly modelCallId: string
  readonly toolName: string
  /** Null where the model gave no JSON object. */
  readonly args: Readonly<Record<string, unknown>> | null
  readonly idempotent: boolean
  readonly callerDeadline: string | null
  /** What has to be approved until `approvalDeadline`, before the call is made. */
  approvalFor: string | null
  approvalDeadline: string | null
  /** Null until that is decided. */
  approved: boolean | null
  /** Of one that must not be made twice: something may have been done. */
  begun: boolean
  output: unknown
  isError: boolean | null
  published: boolean
  endedAt: string | null
  /** How often it has failed in a row, where the model is to know; not stored. */
  failures?: number
}

/** A model's reply that called tools, and what came of them. */
export interface StepRow {
  readonly step: number
  /** As the model gave it, with data that only a model of that origin gets back. */
  readonly reply: readonly ReplyPart[]
  /** Null: not known. */
  readonly origin: string | null
  /** Null: not known. */
  readonly finishReason: FinishReason | null
  readonly usage: CallUsage
  /** What stands in prompts for this step and those before it. */
  summary?: string | null
  readonly calls: CallRow[]
}

type Key = Pick<StoredRun, 'project' | 'id' | 'owner'>

const callColumns = [
  'id',
  'runId',
  'step',
  'place as position',
  'modelCallId',
  'toolName',
  'args',
  'idempotent',
  'callerDeadline',
  'approvalFor',
  'approvalDeadline',
  'approved',
  'begun',
  'output',
  'isError',
  'told as published',
  'endedAt'
] as const
// By id: a plan made while the table is small would go through all calls of a project.
const publishText = `update runs.call c set told = true, output = v.output, "isError" = v."isError", "endedAt" = v."endedAt"
  from unnest($2::text[], $3::jsonb[], $4::boolean[], $5::timestamptz[]) as v(id, output, "isError", "endedAt")
  where c.project || '' = $1 and c.id = v.id and exists (select from chunk) returning c.id`
const stepText = `insert into runs.step (project, "runId", step, owner, reply, origin, "finishReason", usage)
  select $1, $2, $3::int, $4, $5::jsonb, $6, $7, $8::jsonb where exists (select from chunk)`
const callText = `insert into runs.call (project, "runId", step, owner, id, place, "modelCallId", "toolName", args, idempotent,
    "callerDeadline")
  select $1, $2, $3::int, $4, c.id, c.position, c."modelCallId", c."toolName", c.args, c.idempotent,
    c."callerDeadline"
  from jsonb_to_recordset($5::jsonb)
    as c(id text, position int, "modelCallId" text, "toolName" text, args jsonb, idempotent boolean,
      "callerDeadline" timestamptz)
  where exists (select from chunk)`
// By id, too.
const finishText = `update runs.run r set step = $3, seq = $4, crashes = 0
  where r.project || '' = $1 and r.id = $2 and exists (select from chunk) returning r.id`
const beginText = `update runs.call c set begun = true
  where c.project = $1 and c.id = any($2::text[]) and not c.begun returning c.id`
const seqText = `update runs.run r set seq = $3
  where r.project || '' = $1 and r.id = $2 and exists (select from chunk) returning r.id`

const undecided = (open: Knex.QueryBuilder) => open.whereNotNull('approvalDeadline').whereNull('approved')

/** A condition: there is something to wait for, and nothing to do besides. */
export const waitsText = (project: string, runId: string) => `exists (
    select from runs.call c where c.project = ${project} and c."runId" = ${runId} and c."endedAt" is null)
  and not exists (
    select from runs.call c where c.project = ${project} and c."runId" = ${runId} and c."endedAt" is null
      and c."callerDeadline" is null and (c."approvalDeadline" is null or c.approved))`

/** Replies and calls: what is in here is never asked for twice. */
export function createStepStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  return {
    async list(project: string, runId: string): Promise<StepRow[]> {
      const steps = await knex('runs.step')
        .where({ project, runId })
        .orderBy('step')
        .select('step', 'reply', 'origin', 'finishReason', 'usage', 'summary')
      if (steps.length === 0) return []
      const calls: CallRow[] = await knex('runs.call')
        .where({ project, runId })
        .orderBy(['step', 'place'])
        .select(...callColumns)
      return steps.map((row) => ({ ...row, calls: calls.filter(({ step }) => step === row.step) }))
    },

    /** Calls that wait for a result or a decision. */
    listOpen: (project: string, runId: string): Promise<CallRow[]> =>
      knex('runs.call')
        .where({ project, runId })
        .whereNull('endedAt')
        .where((open) => open.whereNotNull('callerDeadline').orWhere(undecided))
        .orderBy(['step', 'place'])
        .select(...callColumns),

    find: (project: string, runId: string, id: string): Promise<CallRow | undefined> =>
      knex('runs.call')
        .where({ project, runId, id })
        .first(...callColumns),

    /** Whether nothing can be done before a result or a decision comes. */
    async findWaiting(project: string, runId: string, on: Knex | Trx = knex): Promise<boolean> {
      const { rows } = await on.raw(`select ${waitsText('?', '?')} as waits`, [
        project,
        runId,
        project,
        runId
      ])
      return rows[0].waits
    },

    /** Calls that have to be approved; `seq` is of the last event that asks for it. */
    async updateAsked(trx: Trx, run: Key, calls: readonly CallRow[], seq: number): Promise<void> {
      for (const { id, approvalFor, approvalDeadline } of calls)
        await trx('runs.call').where({ project: run.project, id }).update({ approvalFor, approvalDeadline })
      await trx('runs.run').where({ project: run.project, id: run.id }).update({ seq })
    },

    async updateApproved(trx: Trx, project: string, id: string): Promise<void> {
      await trx('runs.call').where({ project, id }).update({ approved: true })
    },

    /** Those that were not begun before. */
    async takeUnbegun(project: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set()
      const rows = await hot.query<{ id: string }>('runs.begin', beginText, [project, ids])
      return new Set(rows.map(({ id }) => id))
    },

    /** A step and its calls, in one statement; false when the chunk is refused. */
    async insert(
      run: Key,
      { calls, step, reply, origin, finishReason, usage }: StepRow,
      chunk: Chunk,
      trx?: Trx
    ): Promise<boolean> {
      const { project, id, owner } = run
      const key = [project, id, step, owner]
      const values = [...key, JSON.stringify(reply), origin, finishReason, JSON.stringify(usage)]
      const rows = await hot.together<{ id: string }>(
        'runs.step',
        {
          chunk: chunk.fragment,
          step: { text: stepText, values },
          call: { text: callText, values: [...key, JSON.stringify(calls)] },
          run: { text: finishText, values: [project, id, step, chunk.row.last] }
        },
        'select id from run',
        trx
      )
      return rows.length > 0
    },

    /** The ends of calls, with their events; false when the chunk is refused. */
    async settle(run: Key, calls: readonly CallRow[], chunk: Chunk): Promise<boolean> {
      const rows = await hot.together<{ id: string }>(
        'runs.calls',
        {
          chunk: chunk.fragment,
          published: {
            text: publishText,
            values: [
              run.project,
              calls.map(({ id }) => id),
              calls.map(({ output }) => JSON.stringify(output ?? null)),
              calls.map(({ isError }) => isError),
              calls.map(({ endedAt }) => endedAt)
            ]
          },
          run: { text: seqText, values: [run.project, run.id, chunk.row.last] }
        },
        'select id from run'
      )
      return rows.length > 0
    },

    /** A result or a rejection, in the caller's transaction. */
    async update(trx: Trx, project: string, id: string, output: unknown, isError: boolean): Promise<void> {
      await trx('runs.call')
        .where({ project, id })
        .update({ output: JSON.stringify(output ?? null), isError, endedAt: trx.fn.now() })
    }
  }
}
