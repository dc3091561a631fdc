import type { Knex } from 'knex'
import type { Connection } from '../../database.ts'
import { database } from '../../database.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { inTurns, median, range } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { withScope } from '../scope.ts'
import { createApi, PACKS } from '../tools.ts'

const MANY = 100_000
const packs = [...PACKS, 'workflows']
/** Bytes. What the heap of one and the same process varies by is more than one for each. */
const NOTHING = 10
/** Until what can be gone on with was looked for. */
const SETTLE_MS = 3_000

const api =
  ({ url, key }: Served) =>
  async (method: string, path: string, body?: object) => {
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) })
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return ((await reply.json()) as { data: Execution }).data
  }
interface Execution {
  readonly id: string
  readonly status: string
}

/** An execution that waits for an approval, and where it is. */
async function makeOne(served: Served): Promise<{ id: string; path: string }> {
  const steps = [{ id: 'ask', type: 'approval', config: { message: 'Well?' } }]
  const { id: workflowId } = await createApi(served).post('/v1/workflows', {
    name: 'bench',
    definition: { steps }
  })
  const ask = api(served)
  const { id } = await ask('POST', `/v1/workflows/${workflowId}/execute`, {})
  const path = `/v1/workflows/${workflowId}/executions`
  while ((await ask('GET', `${path}/${id}`)).status !== 'waiting')
    await new Promise((resolve) => setTimeout(resolve, 20))
  return { id, path }
}

/** Copies of it with all that they are in the record; resolves with the id of the last. */
async function copy(knex: Knex, id: string, count: number): Promise<string> {
  const step = await knex('workflows.step').where({ executionId: id }).first('id')
  const idOf = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`
  const [execution, stepId] = [idOf('execution'), idOf('step')]
  const waitId = (of: string) => `replace(${of}, '${step.id}', ${stepId})`
  // A function in a list of columns would be called for each of them.
  const copies = (table: string, where: string, values: readonly string[], changes: string) =>
    knex.raw(
      `insert into ${table} select made.* from ${table} x cross join generate_series(1, ${count}) n
        cross join lateral jsonb_populate_record(x, jsonb_build_object(${changes})) made where ${where}`,
      [...values]
    )
  await copies('workflows.execution', 'x.id = ?', [id], `'id', ${execution}, 'rootId', ${execution}`)
  await copies('workflows.step', 'x.id = ?', [step.id], `'id', ${stepId}, 'executionId', ${execution}`)
  await copies('jobs.wait', 'x.subject = ?', [step.id], `'id', ${waitId('x.id')}, 'subject', ${stepId}`)
  await copies(
    'pgboss.job',
    `x.data::text like ?`,
    [`%${step.id}%`],
    `'id', gen_random_uuid(), 'data', ${waitId('x.data::text')}::jsonb, 'singleton_key', ${waitId('x.singleton_key')}`
  )
  await copies(
    'kernel.stream_chunk',
    'x.stream = ?',
    [id],
    `'stream', ${execution}, 'body', replace(x.body, '${id}', ${execution})`
  )
  await knex.raw('analyze')
  const [jobs] = await knex('pgboss.job').where('data', '@>', '{"project": "default"}').count({ n: '*' })
  if (Number(jobs?.n) <= count) throw new Error(`${jobs?.n} jobs about ${count} deadlines`)
  return `execution_${String(count).padStart(26, '0')}`
}

/** Milliseconds to start on a database, and the bytes of the heap a while after. */
const startOn = (connection: Connection) =>
  withScope(async (scope) => {
    const startedAt = performance.now()
    const served = await startPlatform(scope, {}, { packs, connection })
    const ms = performance.now() - startedAt
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const { heap } = await served.ask<{ heap: number }>('memory')
    return { ms, heap }
  })

/** What executions that wait take of a process that has to do with none of them. */
export const measure: Measure = async (scope, quick) => {
  const [full, empty] = [await database(scope), await database(scope)]
  for (const { connection } of [full, empty])
    await withScope(async (inner) => {
      const served = await startPlatform(inner, {}, { packs, connection })
      const { id, path } = await makeOne(served)
      if (connection !== full.connection) return
      const last = await copy(full.knex, id, MANY)
      await api(served)('POST', `${path}/${last}/approve`, {})
      while ((await api(served)('GET', `${path}/${last}`)).status !== 'completed')
        await new Promise((resolve) => setTimeout(resolve, 20))
    })
  const pairs = await inTurns(
    quick ? 2 : 5,
    () => startOn(full.connection),
    () => startOn(empty.connection)
  )
  const ratios = pairs.map(([many, none]) => many.ms / none.ms)
  const bytes = pairs.map(([many, none]) => (many.heap - none.heap) / MANY)
  const [grown, longer] = [median(bytes), median(ratios)]
  return [
    {
      what: `${MANY.toLocaleString('en')} waiting executions: bytes of the heap for each`,
      reach: '0',
      measured: `${grown.toFixed(1)} (${range([Math.min(...bytes), Math.max(...bytes)])})`,
      met: grown < NOTHING
    },
    {
      what: `start with ${MANY.toLocaleString('en')} waiting executions, against one`,
      reach: '≤ 2×',
      measured: `${longer.toFixed(2)}× (${range([Math.min(...ratios), Math.max(...ratios)])})`,
      met: longer <= 2
    }
  ]
}
