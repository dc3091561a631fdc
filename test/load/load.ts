import { fork } from 'node:child_process'
import { once } from 'node:events'
import { newId } from 'agent-platform'
import type { Knex } from 'knex'
import { redisUrl } from '../boot.ts'
import { commands } from '../cli/command.ts'
import { createClient } from '../client.ts'
import { preparedDataDir } from '../data-dir.ts'
import { database } from '../database.ts'
import { databaseUrl, serve } from '../http/process.ts'
import { migrated } from '../migrated.ts'
import type { Asked, Finished, Pace, Sample } from './traffic.ts'
import type { Reading } from './verdict.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface LoadOptions {
  readonly seconds: number
  /** Between two samples. */
  readonly every: number
  /** For so long it is found out how much the instances can do. */
  readonly calibrating: number
  /** Of the CPU that they take when they do all that they can. */
  readonly share: number
  /** Is told each sample. */
  readonly heard?: (reading: Reading) => void
}

export interface Loaded extends Finished {
  readonly readings: readonly Reading[]
  /** Cores that both instances take at their most. */
  readonly most: number
}

const LIMIT = '1000000000'
const TOGETHER = 48
const env = {
  ...{ PLATFORM_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), MODEL_PROVIDER: 'local' },
  ...{ OUTGOING_ALLOW: '127.0.0.1', LOG_LEVEL: 'info', OBSERVABILITY_REDACTION: 'full' },
  ...{ CREDITS_PROJECTS: '*', PROVENANCE_DEFAULT_MODE: 'metadata' },
  ...{ GATEWAY_LIMIT_PER_MINUTE: LIMIT, PLATFORM_LIMIT_PER_MINUTE: LIMIT },
  ...{ SENSITIVE_LIMIT_PER_MINUTE: LIMIT, ANONYMOUS_LIMIT_PER_MINUTE: LIMIT }
}

/** What is held at its share of the CPU for so long: two instances, with all packs, and callers in a third process. */
export async function load(scope: Scope, options: LoadOptions): Promise<Loaded> {
  const { connection, knex } = await database(scope, migrated())
  const common = { ...env, ...redisUrl(), DATABASE_URL: databaseUrl(connection) }
  const start = async () =>
    serve(scope, { ...common, DATA_DIR: await preparedDataDir(scope, { database: false }) })
  const instances = await Promise.all([start(), start()])
  const DATA_DIR = await preparedDataDir(scope, { database: false })
  const create = ['keys', 'create', '--name', 'load', '--type', 'user', '--admin']
  const key = (await commands({ ...common, DATA_DIR }).printed(...create)).trim()
  const ask = traffic(scope)
  const agentId = await ask<string>({ begin: { urls: instances.map(({ url }) => url), key } })
  await pay(knex, agentId)

  const clients = instances.map(({ url }) => createClient(url, 'load', key))
  const processes = () =>
    Promise.all(clients.map(async (client) => stateOf((await client.get('/metrics')).text)))
  const connections = async () => {
    const { rows } = await knex.raw(
      `select count(*)::int as open from pg_stat_activity
       where datname = current_database() and application_name like 'agent-platform%'`
    )
    return rows[0].open as number
  }
  const { rows } = await knex.raw(`select current_setting('autovacuum')::boolean as kept`)
  /** As a server would do each minute, one whose autovacuum is off does it when it is told. */
  const upkeep = createUpkeep(knex, rows[0].kept)
  /** Lets it go on for so long, and says what came of it. */
  const during = async (seconds: number, begun: number) => {
    const [before, at] = [await processes(), performance.now()]
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    const [after, sample] = [await processes(), await ask<Sample>({ sample: true })]
    const took = (performance.now() - at) / 1_000
    const cpu = after.map((it, index) => (it.cpu - (before[index]?.cpu ?? 0)) / took)
    const reading: Reading = {
      ...sample,
      second: Math.round((performance.now() - begun) / 1_000),
      rate: sample.done / took,
      cpu,
      instances: after,
      connections: await connections()
    }
    return reading
  }
  const sum = (cpu: readonly number[]) => cpu.reduce((all, one) => all + one, 0)
  const go = (pace: Pace) => ask({ pace })

  // Until what is loaded late is loaded, and then as much as they can.
  await go({ together: TOGETHER })
  await during(options.calibrating, performance.now())
  const full = await during(options.calibrating, performance.now())
  const most = sum(full.cpu)
  let rate = full.rate * options.share
  await go({ rate })
  const readings: Reading[] = []
  const begun = performance.now()
  while (performance.now() - begun < options.seconds * 1_000) {
    const reading = await during(options.every, begun)
    readings.push(reading)
    upkeep.beat()
    options.heard?.(reading)
    // Half of the way to what would be right, so that it does not swing.
    const wanted = (options.share * most) / Math.max(0.01, sum(reading.cpu))
    rate *= Math.min(1.25, Math.max(0.8, 1 + (wanted - 1) / 2))
    await go({ rate })
  }
  await upkeep.end()
  return {
    readings: [{ ...full, second: 0, failed: full.failed }, ...readings],
    most,
    ...(await ask<Finished>({ finish: true }))
  }
}

const UPKEEP_MS = 60_000

function createUpkeep(knex: Knex, isKept: boolean) {
  let last = performance.now()
  let work: Promise<unknown> | undefined
  return {
    beat() {
      if (isKept || work || performance.now() - last < UPKEEP_MS) return
      last = performance.now()
      work = knex.raw('vacuum (analyze)').finally(() => {
        work = undefined
      })
    },
    end: async () => work
  }
}

/** A price, and more credits than all of it costs. */
async function pay(knex: Knex, id: string): Promise<void> {
  const { owner, project } = await knex('agents.agent').where({ id }).first('owner', 'project')
  const amounts = { input: '1000000', cached: '1000000', output: '2000000' }
  const row = { project, owner }
  await knex('credits.price').insert({ ...row, ...amounts, id: newId('price'), kind: 'model', target: '*' })
  const account = { ...row, id: newId('account'), kind: 'person', balance: '1000000000000000' }
  await knex('credits.account').insert(account)
}

function traffic(scope: Scope): <T>(asked: Asked) => Promise<T> {
  const child = fork(new URL('traffic.ts', import.meta.url), {
    execArgv: ['--import', './kernel/packs/loader/modules.ts']
  })
  const exited = once(child, 'exit')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    if (error === undefined) waiting.get(id)?.resolve(value)
    else waiting.get(id)?.reject(new Error(error))
    waiting.delete(id)
  })
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The callers ended with ${code}`))
  })
  scope.teardown(async () => {
    if (child.connected) child.disconnect()
    await exited
  })
  return async <T>(asked: Asked) => {
    const settled = Promise.withResolvers<unknown>()
    waiting.set(++count, settled)
    child.send({ id: count, asked })
    return (await settled.promise) as T
  }
}

/** What a process says of itself, of the text format of Prometheus. */
function stateOf(text: string) {
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    cpu: of('process_cpu_seconds_total'),
    rss: of('process_resident_memory_bytes'),
    heap: of('nodejs_heap_size_used_bytes'),
    handles: of('nodejs_active_handles_total')
  }
}
