import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from 'agent-platform-client'
import { Command } from 'commander'
import { findServer } from '../../kernel/database/embedded/postmaster.ts'
import type { Living } from '../../kernel/database/instance.ts'
import { listLiving } from '../../kernel/database/instance.ts'
import type { Settings } from '../../kernel/settings.ts'
import { readSettings } from '../../kernel/settings.ts'
import { withDatabase } from '../database.ts'
import { FAILED, lineOf } from '../faults.ts'
import { unlessInterrupted } from '../interruption.ts'
import { checkUrl, findRunning, urlOption } from '../operator.ts'
import { examples, jsonOption, showOne, when } from '../output.ts'

/** How a platform fares, as far as it can be known from here. */
interface Status {
  readonly running: boolean
  readonly url: string | null
  readonly version: string | null
  readonly ready: boolean
  /** Why it is not ready. */
  readonly reason: string | null
  /** Unknown over HTTP alone. */
  readonly instances: readonly Living[] | null
  readonly packs: { readonly running: readonly string[]; readonly failed: readonly string[] } | null
  readonly database: string | null
  readonly redis: boolean | null
  /** The model of agents that name none. */
  readonly model: string | null
}

const stopped: Status = {
  running: false,
  url: null,
  version: null,
  ready: false,
  reason: 'it does not run: `npm start` starts it',
  instances: [],
  packs: null,
  database: null,
  redis: null,
  model: null
}

const columns = {
  state: ({ running, ready }: Status) => (running ? (ready ? 'ready' : 'not ready') : 'stopped'),
  reason: (status: Status) => status.reason,
  address: (status: Status) => status.url,
  version: (status: Status) => status.version,
  instances: ({ instances }: Status) => instances?.map(instanceLine).join('; '),
  'packs running': ({ packs }: Status) => packs && `${packs.running.length} (${packs.running.join(' ')})`,
  'packs failed': ({ packs }: Status) => packs?.failed.join(' '),
  database: (status: Status) => status.database,
  redis: ({ redis }: Status) => (redis === null ? null : redis ? 'yes' : 'no'),
  model: (status: Status) => status.model
}

const instanceLine = ({ id, host, pid, startedAt, draining }: Living) =>
  `${id} on ${host} (process ${pid}, since ${when(startedAt)}${draining ? ', draining' : ''})`

export function statusCommand(): Command {
  return examples(
    new Command('status')
      .description('Show whether the platform runs, its URL and its state. Exits with 1 unless it is ready')
      .addOption(jsonOption())
      .addOption(urlOption())
      .action(async ({ url, json }: { url?: string; json?: boolean }) => {
        const status = await unlessInterrupted(url ? ofRemote(url) : ofOwn())
        showOne(status, columns, json)
        if (!status.ready) process.exitCode = FAILED
      }),
    'status',
    'status --json',
    'status --url https://platform.example.com'
  )
}

const ofRemote = async (url: string): Promise<Status> => ({ ...(await ask(checkUrl(url))), instances: null })

async function ofOwn(): Promise<Status> {
  const { settings } = readSettings(process.env)
  const common = { database: placeOf(settings), redis: settings.REDIS_URL !== undefined }
  // Nothing is started only to find that nothing runs.
  if (!settings.DATABASE_URL && !isEmbeddedUp(settings)) return { ...stopped, ...common }
  return withDatabase(async ({ knex }) => {
    const instances = await listLiving(knex)
    const running = await findRunning(knex)
    if (running) return { ...(await ask(running.url)), ...common, instances }
    const reason = instances.length > 0 ? 'no instance of this machine answers' : stopped.reason
    return { ...stopped, ...common, running: instances.length > 0, reason, instances }
  })
}

/** Shown to the machine of the platform itself. */
interface Health {
  readonly version: string | null
  readonly packs: { readonly up: readonly string[]; readonly failed: readonly string[] } | null
}
type Readiness = Readonly<Record<'ready' | 'database' | 'migrations' | 'storage' | 'draining', boolean>>

/** One that is not ready says so with 503, and why. */
async function look<T>(url: string, path: string): Promise<T> {
  const reply = await fetch(`${url}${path}`).catch((error) => {
    throw new Error(`${url} cannot be reached: ${lineOf(error.cause ?? error)}`)
  })
  const { data } = (await reply.json().catch(() => ({}))) as { data?: T }
  if (!data) throw new Error(`${url} is no such platform: it answered ${reply.status} to ${path}`)
  return data
}

/** What it says of itself, without a credential. */
async function ask(url: string): Promise<Status> {
  const [health, ready] = await Promise.all([
    look<Health>(url, '/health'),
    look<Readiness>(url, '/health/ready')
  ])
  const reasons = [
    ready.database ? [] : 'it has lost its database',
    ready.migrations ? [] : 'it has only just started',
    ready.storage ? [] : 'its database has no room left',
    ready.draining ? 'it is being stopped' : []
  ].flat()
  return {
    ...stopped,
    running: true,
    url,
    version: health.version,
    ready: ready.ready,
    reason: reasons.join(', ') || null,
    packs: health.packs && { running: health.packs.up, failed: health.packs.failed },
    model: ready.ready ? await usualModel(url) : null
  }
}

/** The pack `models` may be off. */
async function usualModel(url: string): Promise<string | null> {
  try {
    const models = createClient({ baseUrl: url }).list('/v1/models')
    for await (const { id, modalities, default: isDefault } of models)
      if (isDefault && modalities.includes('language')) return id
  } catch {
    // No pack serves models: there is none to name.
  }
  return null
}

function isEmbeddedUp({ DATA_DIR }: Settings): boolean {
  const folder = join(DATA_DIR, 'postgres')
  return existsSync(folder) && findServer(realpathSync(folder)) !== undefined
}

/** Never with a password. */
function placeOf({ DATABASE_URL, DATA_DIR }: Settings): string {
  if (!DATABASE_URL) return `embedded, in ${join(DATA_DIR, 'postgres')}`
  const { hostname, port, pathname, searchParams } = new URL(DATABASE_URL)
  return `${searchParams.get('host') ?? hostname}${port && `:${port}`}${pathname}`
}
