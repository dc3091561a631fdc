import type { Knex } from 'knex'
import { database } from '../../database.ts'
import { packText } from '../../pack-folders.ts'
import { costOf } from '../cost.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { inTurns, median, range } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import type { Side } from '../side.ts'
import { startSide } from '../side.ts'
import { createApi, PACKS } from '../tools.ts'

const STEPS = 10
const AT_ONCE = 32
const REACH = 0.5
/** It is sent, fetched and completed. */
const COMMITS_OF_A_JOB = 3

/** Executes a workflow so often, so many at a time, each to its end. */
const executing = {
  'executing/pack.ts': packText(
    'executing',
    `requires: ['workflows'],
    routes(app, { workflows, streams }) {
      app.post('/executing/:workflowId', { schema, config: { scope: ['things:read'] } }, async ({ principal, params, query }) => {
        let left = query.count
        const isLast = ({ type }) => type === 'completed' || type === 'failed'
        const worker = async () => {
          while (left-- > 0) {
            const { id } = await workflows.execute(principal, { workflowId: params.workflowId, input: { n: left } })
            await streams.until(principal.project, id, -1, isLast, AbortSignal.timeout(60_000))
          }
        }
        await Promise.all(Array.from({ length: query.atOnce }, worker))
        return { data: {} }
      })
    }`,
    `import { Type } from 'typebox'
    const schema = {
      summary: 'Execute a workflow so often',
      tags: ['executing'],
      params: Type.Object({ workflowId: Type.String() }),
      querystring: Type.Object({ count: Type.Integer(), atOnce: Type.Integer() }),
      response: { 200: Type.Object({ data: Type.Object({}) }) }
    }`
  )
}

/** Transactions that have written so far, of the whole server. */
async function commitsOf(knex: Knex): Promise<number> {
  const { rows } = await knex.raw('select pg_snapshot_xmax(pg_current_snapshot())::text as next')
  return Number(rows[0].next)
}

/** Of a step, or of a job. */
interface Round {
  readonly ms: number
  readonly commits: number
  /** Microseconds of the processor, of its process and of PostgreSQL. */
  readonly cpu: number
}

async function measured(side: Side, knex: Knex, count: number, work: () => Promise<unknown>): Promise<Round> {
  const before = await commitsOf(knex)
  let ms = 0
  const { server, database } = await costOf({ ...side, url: '', knex }, async () => {
    const startedAt = performance.now()
    await work()
    ms = (performance.now() - startedAt) / count
    return count
  })
  return { ms, commits: ((await commitsOf(knex)) - before) / count, cpu: server + database }
}

const chain = Array.from({ length: STEPS }, (_, n) => ({
  id: `step${n}`,
  type: 'transform',
  config: { value: n === 0 ? '{{ input.n + 1 }}' : `{{ steps.step${n - 1}.output + 1 }}` },
  ...(n > 0 && { dependsOn: [`step${n - 1}`] })
}))

async function execute(served: Served, workflowId: string, count: number): Promise<void> {
  const reply = await fetch(`${served.url}/v1/executing/${workflowId}?count=${count}&atOnce=${AT_ONCE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.key}` }
  })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
}

/**
 * Steps that only evaluate, each in the journal, against raw jobs of pg-boss, each of which is sent, fetched and completed.
 *
 * A job alone is three commits; steps share theirs, those of one execution and those of executions that begin or end at
 * once. With the same number of commits means that jobs share theirs as well: they are sent, fetched and completed by
 * so many together that a job has as many commits as a step has, and as many jobs as steps are under way. Of both the
 * ratio is said, and of the processor too, which tells more where the machine has others to serve.
 */
export const measure: Measure = async (scope, quick) => {
  const { connection, knex } = await database(scope)
  const served = await startPlatform(scope, executing, { packs: [...PACKS, 'workflows'], connection })
  const { id } = await createApi(served).post('/v1/workflows', {
    name: 'bench',
    definition: { steps: chain }
  })
  const other = await database(scope)
  const boss = await startSide(scope, 'boss', { connection: other.connection })
  const executions = quick ? 300 : 2_000
  const jobs = quick ? 500 : 2_000
  const ours = () => measured(served, knex, executions * STEPS, () => execute(served, id, executions))
  const theirs = (count: number, together: number, atOnce: number) =>
    measured(boss, other.knex, count, () => boss.ask('run', { count, together, atOnce }))
  await ours()
  const warm = await ours()
  // What else the server did is in it, so that it is a little more.
  const together = Math.min(Math.max(Math.round(COMMITS_OF_A_JOB / warm.commits), 1), AT_ONCE * STEPS)
  const single = () => theirs(jobs, 1, AT_ONCE)
  const shared = () =>
    theirs(jobs * Math.min(together, 10), together, Math.max(Math.round((AT_ONCE * STEPS) / together), 1))
  await single()
  await shared()
  const rounds = quick ? 3 : 7
  const alone = await inTurns(rounds, ours, single)
  const same = await inTurns(rounds, ours, shared)
  const failed = await knex('workflows.execution').whereNot({ status: 'completed' }).count({ n: '*' })
  if (Number(failed[0]?.n) > 0) throw new Error(`${failed[0]?.n} executions did not complete`)
  const row = (what: string, pairs: readonly [Round, Round][], reach?: number): Row => {
    const ratios = pairs.map(([step, job]) => job.ms / step.ms)
    const ratio = median(ratios)
    const of = (side: 0 | 1, key: keyof Round) => median(pairs.map((pair) => pair[side][key]))
    const told = (side: 0 | 1, name: string) =>
      `${Math.round(1_000 / of(side, 'ms'))} ${name} a second of ${of(side, 'commits').toFixed(3)} commits and ${Math.round(of(side, 'cpu'))} µs`
    const cpu = median(pairs.map(([step, job]) => job.cpu / step.cpu))
    return {
      what: `steps of a ${STEPS}-step transform workflow, ${AT_ONCE} executions at a time, against raw jobs of pg-boss ${what}`,
      reach: reach === undefined ? '' : `≥ ${reach}`,
      measured: `${ratio.toFixed(2)} (${range([Math.min(...ratios), Math.max(...ratios)])}; by the processor ${cpu.toFixed(2)}; ${told(0, 'steps')}, ${told(1, 'jobs')})`,
      met: reach === undefined || ratio >= reach
    }
  }
  return [row('one at a time', alone), row(`with as many commits, ${together} together`, same, REACH)]
}
