import type { Knex } from 'knex'
import { database } from '../../database.ts'
import { packText } from '../../pack-folders.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { inTurns, median, range } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { startSide } from '../side.ts'
import { createApi, PACKS } from '../tools.ts'

const STEPS = 10
const AT_ONCE = 32
const REACH = 0.5

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

interface Round {
  readonly ms: number
  /** A step, or a job. */
  readonly commits: number
}

async function measured(knex: Knex, count: number, work: () => Promise<unknown>): Promise<Round> {
  const before = await commitsOf(knex)
  const startedAt = performance.now()
  await work()
  const ms = performance.now() - startedAt
  return { ms: ms / count, commits: ((await commitsOf(knex)) - before) / count }
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

/** Steps that only evaluate, each in the journal, against jobs of pg-boss, by the commits that both make. */
export const measure: Measure = async (scope, quick) => {
  const { connection, knex } = await database(scope)
  const served = await startPlatform(scope, executing, { packs: [...PACKS, 'workflows'], connection })
  const { id } = await createApi(served).post('/v1/workflows', {
    name: 'bench',
    definition: { steps: chain }
  })
  const other = await database(scope)
  const boss = await startSide(scope, 'boss', { connection: other.connection })
  const executions = quick ? 100 : 400
  const jobs = quick ? 500 : 2_000
  const ours = () => measured(knex, executions * STEPS, () => execute(served, id, executions))
  const theirs = () => measured(knex, jobs, () => boss.ask('run', { count: jobs, atOnce: AT_ONCE }))
  await ours()
  await theirs()
  const pairs = await inTurns(quick ? 3 : 7, ours, theirs)
  const failed = await knex('workflows.execution').whereNot({ status: 'completed' }).count({ n: '*' })
  if (Number(failed[0]?.n) > 0) throw new Error(`${failed[0]?.n} executions did not complete`)
  const [steps, raw] = [0, 1].map((side) => median(pairs.map((pair) => 1_000 / (pair[side] as Round).ms)))
  // What else the server did adds to it.
  const [aStep, aJob] = [0, 1].map((side) => Math.min(...pairs.map((pair) => (pair[side] as Round).commits)))
  const ratios = pairs.map(([step, job]) => ((aStep as number) / step.ms) * (job.ms / (aJob as number)))
  const ratio = median(ratios)
  return [
    {
      what: `steps of a ${STEPS}-step transform workflow, ${AT_ONCE} executions at a time, against raw jobs of pg-boss with as many commits`,
      reach: `≥ ${REACH}`,
      measured: `${ratio.toFixed(2)} (${range([Math.min(...ratios), Math.max(...ratios)])}; ${Math.round(steps as number)} steps a second of ${(aStep as number).toFixed(2)} commits, ${Math.round(raw as number)} jobs a second of ${(aJob as number).toFixed(2)})`,
      met: ratio >= REACH
    }
  ]
}
