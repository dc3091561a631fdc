import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { database } from '../../database.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import type { Measure } from '../row.ts'

const MANY = 1_000
const AT_ONCE = 32
/** Until they are due, once they are made. */
const AHEAD_MS = 3_000
/** Until what is hot is compiled, as in a process that serves. */
const WARM = 500
const packs = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tasks']

/** As of those that were made for this moment long ago, so that nobody waits for the minute. */
async function makeDue(knex: Knex, at: Date): Promise<void> {
  await knex('jobs.schedule').where({ queue: 'tasks.due' }).update({ nextAt: at })
  await knex('tasks.task').whereNotNull('nextRunAt').update({ nextRunAt: at })
}

/** Milliseconds from when they were due to when their agents' runs had begun, the shortest first. */
async function delays(knex: Knex, { url, key }: Served, count: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  async function post(path: string, fields: object) {
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(fields) })
    if (reply.status !== 201) throw new Error(await reply.text())
    return (await reply.json()) as { data: { id: string } }
  }
  const agent = await post('/v1/agents', { name: 'Bench', modelProvider: 'local' })
  const task = { agentId: agent.data.id, title: '/say Done' }
  async function times(count: number, work: () => Promise<unknown>) {
    let left = count
    const worker = async () => {
      while (left-- > 0) await work()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }
  await times(WARM, async () => {
    const { data } = await post('/v1/tasks', task)
    await post(`/v1/tasks/${data.id}/execute`, {})
  })
  while (await knex('tasks.run').whereNull('endedAt').first('id')) await delay(250)
  const anHourAgo = new Date(Date.now() - 3_600_000)
  const cronExpression = `${anHourAgo.getUTCMinutes()} ${anHourAgo.getUTCHours()} * * *`
  await times(count, () => post('/v1/tasks', { ...task, cronExpression, isRecurring: true }))
  // A whole second, as a cron's.
  const at = new Date(Math.ceil((Date.now() + AHEAD_MS) / 1_000) * 1_000)
  await makeDue(knex, at)
  const ended = () => knex('tasks.run').where({ status: 'completed', scheduledFor: at }).count({ n: '*' })
  while (Number((await ended())[0]?.n) < count) await delay(250)
  const rows: { ms: number }[] = await knex('tasks.run')
    .where({ scheduledFor: at })
    .select(knex.raw(`(extract(epoch from "startedAt" - "scheduledFor") * 1000)::float8 as ms`))
  if (rows.length !== count) throw new Error(`${rows.length} runs of ${count} tasks`)
  return rows.map(({ ms }) => ms).sort((a, b) => a - b)
}

/** Tasks of agents that are due at the same moment. */
export const measure: Measure = async (scope, quick) => {
  const { connection, knex } = await database(scope)
  const platform = await startPlatform(scope, {}, { packs, connection })
  const ms = await delays(knex, platform, quick ? MANY / 5 : MANY)
  const [half = 0, most = 0] = [0.5, 0.95].map((part) => ms[Math.floor(ms.length * part)])
  const seconds = (it: number) => (it / 1_000).toFixed(2)
  return [
    {
      what: `${ms.length} tasks due in the same minute: from then until their run has begun, p95`,
      reach: '≤ 2 s',
      measured: `${seconds(most)} s (median ${seconds(half)} s)`,
      met: most <= 2_000
    }
  ]
}
