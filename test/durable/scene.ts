import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { root } from '../../kernel/deployment.ts'
import { beating } from '../../plugins/autonomy/test/testbed.ts'
import { isEnded, local, makeTask, runOnce } from '../../plugins/tasks/test/testbed.ts'
import type { Shown, StreamedEvent } from '../../plugins/workflows/test/testbed.ts'
import { eventsUntil, execute, isLast, stepOf, workflowOf } from '../../plugins/workflows/test/testbed.ts'
import type { Booted } from '../boot.ts'
import { boot } from '../boot.ts'
import type { Client } from '../client.ts'
import { createClient } from '../client.ts'
import { start } from '../packs/processes.ts'
import { until } from '../packs/stage.ts'
import { startLedger } from './ledger.ts'
import type { Place } from './parcels.ts'
import { parcelsFor } from './parcels.ts'
import { stepsOf } from './workflow.ts'

const PACKS = [
  'access',
  'packs',
  'agents',
  'outgoing',
  'models',
  'sessions',
  'jobs',
  'runs',
  'tools',
  'tasks',
  'workflows',
  'autonomy'
]
/** What is slower by default is only slower. */
const quick = { pollSeconds: 0.1, cronSeconds: 1, lostAfterSeconds: 3, drainSeconds: 1 }

export interface Begun {
  readonly n: number
  readonly path: string
  /** Resolves when the last of its events was received. */
  readonly parcel: Promise<void>
}

export type Scene = Awaited<ReturnType<typeof scene>>

/** A deployment with a workflow whose steps act outside, a recurring task, and an agent that beats. */
export async function scene(t: Pick<Test, 'teardown' | 'match' | 'same' | 'equal'>, beside?: Booted) {
  const ledger = await startLedger(t)
  const env = { OUTGOING_ALLOW: '127.0.0.0/8' }
  const enabled = Object.fromEntries(PACKS.map((name) => [name, { enabled: true }]))
  const deployment = { enabled: false, packs: { ...enabled, jobs: { enabled: true, settings: quick } } }
  const open = (at?: Booted) => boot(t, { packs: PACKS, deployment, env, ...(at && { beside: at }) })
  const home = await open(beside)
  const ada = home.as('ada')
  const { knex } = home.platform

  const post = async (path: string, body: object) => {
    const reply = await ada.post(path, body)
    if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`)
    return reply.body.data
  }
  const agent = await ada.agent(local)
  for (const [name, place, idempotent] of [
    ['order', 'orders', true],
    ['pay', 'payments', false]
  ] as const) {
    const config = { method: 'POST', url: `${ledger.url}/${place}`, body: { what: '{{what}}' } }
    const parameters = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] }
    const tool = await post('/v1/tools', { name, description: 'Does it', parameters, config, idempotent })
    await post(`/v1/agents/${agent.id}/tools`, { toolId: tool.id, policy: 'allow' })
  }
  const workflowId = await workflowOf(ada, stepsOf(agent.id), { output: '{{ steps.last.output }}' })
  const parcels = await parcelsFor(t, home, ada, workflowId)
  const cron = { cronExpression: '0 0 29 2 *', isRecurring: true }
  const recurring = await makeTask(ada, {
    agentId: agent.id,
    title: '/wait 3',
    description: '/repeat 5 word',
    ...cron
  })
  const heart = await beating(home, ada, {
    prompt: '/wait 2\n/repeat 20 word',
    dailyBeats: null,
    dailyTokens: null
  })
  const onces: string[] = []
  let rounds = 0
  let executions = 0

  return {
    home,
    ada,
    agentId: agent.id as string,
    ledger,
    open,
    /** An instance in a process of its own. */
    async another() {
      const running = await start(t, fileURLToPath(new URL('../packs/child.ts', import.meta.url)), {
        LOG_LEVEL: 'silent',
        PLATFORM_LIMIT_PER_MINUTE: '1000000',
        ...env,
        STAGE_CONNECTION: JSON.stringify(home.connection),
        STAGE_DEPLOYMENT: JSON.stringify({ folders: [join(root, 'plugins')], ...deployment })
      })
      await running.ready
      return { ...running, client: createClient(running.url, 'ada', ada.key()) }
    },

    async begin(at: Place): Promise<Begun> {
      const n = executions++
      await parcels.sendEarly(at, `book ${n}`)
      const { path } = await execute(at.client, workflowId, { n })
      return { n, path, parcel: parcels.sendLate(at, `book ${n}`, path) }
    },

    /** The recurring task and the heartbeat are due, and so is a task that comes once. */
    async dueNow({ client }: Place): Promise<void> {
      rounds++
      const at = knex.raw('now()')
      await knex.transaction(async (trx) => {
        await trx('tasks.task').where({ id: recurring.id }).update({ nextRunAt: at })
        await trx('jobs.schedule').where({ id: recurring.id }).update({ nextAt: at })
      })
      await heart.come()
      const scheduledFor = new Date(Date.now() + 150).toISOString()
      const { id } = await makeTask(client, { agentId: agent.id, title: '/say Once', scheduledFor })
      onces.push(id)
    },

    /** What was due so far has come, once, and well. */
    async account(): Promise<void> {
      const runsOf = async (id: string) => (await ada.get(`/v1/tasks/${id}/runs?limit=100`)).body.data
      await until(
        () => runsOf(recurring.id),
        (runs) => runs.length >= rounds && runs.every(isEnded)
      )
      const beats = await heart.over(rounds)
      for (const id of onces) await runOnce(ada, id, isEnded)
      await home.settled()
      const completed = Array.from({ length: rounds }, () => 'completed')
      t.same(
        (await runsOf(recurring.id)).map(({ status }: { status: string }) => status),
        completed,
        'the recurring task'
      )
      t.same(
        beats.map(({ status }) => status),
        completed,
        'the heartbeat'
      )
      for (const id of onces) t.match(await runsOf(id), { 0: { status: 'completed' }, length: 1 }, 'a task')
      const runs = await knex('runs.run').where({ agentId: heart.id }).pluck('id')
      t.equal(runs.length, rounds, 'and no run that is no beat’s')
    },

    /** Approves it once it waits for that, unless it was; then it ends as it would have. */
    async finish({ n, path, parcel }: Begun, at: Place): Promise<StreamedEvent[]> {
      await parcel
      await eventsUntil(at, at.client, path, (event) => isLast(event) || waitsForApproval(event))
      const step = stepOf((await at.client.get(path)).body.data, 'ok')
      if (step?.decisions.length === 0) t.match(await approve(at.client, path), { status: 200 }, path)
      const events = await eventsUntil(at, at.client, path)
      const ended: Shown = (await ada.get(path)).body.data
      t.same([ended.status, ended.output], ['completed', expected(n)], path)
      t.same(
        events.map(({ seq }) => seq),
        events.map((_, index) => index),
        'no gap'
      )
      const done = events.filter(({ type, status }) => type === 'step' && status === 'completed')
      t.equal(new Set(done.map(({ path }) => path)).size, done.length, 'no completed step runs again')
      t.equal(stepOf(ended, 'ok')?.decisions.length, 1)
      t.match(await approve(at.client, path), { status: 409 }, 'a second decision')
      for (const what of [`book ${n}`, ...[1, 2, 3].map((item) => `page ${item} of ${n}`)])
        t.equal(ledger.ordered(what), 1, `${what} was ordered once`)
      await parcels.account(ended.id, `book ${n}`)
      const pay = stepOf(ended, 'pay')
      const paid = ledger.paid(`book ${n}`)
      if (pay?.status === 'completed') t.equal(paid, 1, 'paid once')
      else
        t.match([pay?.error?.code, paid <= 1, stepOf(ended, 'unsure')?.output], UNKNOWN, 'paid once, or not')
      return events
    }
  }
}

const UNKNOWN = ['outcome_unknown', true, 'outcome_unknown']
const expected = (n: number) => [
  n,
  'word word word',
  `book ${n}`,
  [1, 2, 3].map((item) => `page ${item} of ${n}`),
  n * 2,
  ['early', 'late']
]
export const waitsForApproval = ({ type, path, status }: StreamedEvent): boolean =>
  type === 'step' && path === 'ok' && status === 'waiting'
export const approve = (client: Client, path: string) =>
  client.post(`${path}/approve`, { stepId: 'ok', data: { isFine: true } })
