import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'agent-platform-client'
import { createClient } from 'agent-platform-client'
import { Option } from 'commander'
import type { Knex } from 'knex'
import { trimEndOf } from '../kernel/contract/text.ts'
import type { Living } from '../kernel/database/instance.ts'
import { listLiving } from '../kernel/database/instance.ts'
import { createOperator, DEFAULT_PROJECT } from '../kernel/identity/operator.ts'
import type { Settings } from '../kernel/settings.ts'
import { developmentKeyFile } from '../process/development-key.ts'
import { withDatabase } from './database.ts'
import { WrongUsage } from './faults.ts'
import { unlessInterrupted } from './interruption.ts'
import { freshSession, readSession } from './session.ts'

/** What a command needs of the platform. */
export interface Wanted {
  /** Of a platform that is reached over HTTP alone. */
  readonly url?: string
  readonly project?: string
  /** With `platform:admin`. */
  readonly admin?: boolean
  /** How long it may take. */
  readonly minutes?: number
  /** Of one that runs alone: none is started for it. */
  readonly isRunning?: boolean
  /** What it makes is used afterwards: its token is left to end by itself. */
  readonly isContinued?: boolean
  /** As the developer of this machine, where there is one. */
  readonly asDeveloper?: boolean
  /** It ends by itself when it is interrupted, and leaves nothing behind. */
  readonly endsItself?: boolean
}

/** A process that listens asks for nothing else while it answers: one that does not is taken for gone. */
const ANSWER_MS = 1_000
const READY_MS = 20_000
const LOOK_MS = 100

export const urlOption = () =>
  new Option('--url <url>', 'URL of a remote platform, with a key in PLATFORM_API_KEY').env('PLATFORM_URL')
export const projectOption = () =>
  new Option('--project <id>', `ID of the project (default: ${DEFAULT_PROJECT})`)

/**
 * Gives `work` a platform: the one at `url`; else the one that runs on this machine; else one that is started in this
 * process for as long as it takes.
 */
export async function withPlatform<T>(wanted: Wanted, work: (client: Client) => Promise<T>): Promise<T> {
  const { url, project } = wanted
  const use = async (client: Client) => {
    if (project !== undefined) await checkProject(client, project)
    return wanted.endsItself ? work(client) : unlessInterrupted(work(client))
  }
  if (url) return use(await remote(url))
  return withDatabase(async (database) => {
    const running = await findRunning(database.knex)
    if (running) {
      await unlessInterrupted(untilReady(running.url))
      const base = { baseUrl: running.url }
      const apiKey = wanted.asDeveloper && (await developmentKey(database.settings))
      return apiKey ? use(createClient({ ...base, apiKey })) : asOperator(database.knex, wanted, base, use)
    }
    if (wanted.isRunning) throw new Error('No platform runs on this machine: `npm start` starts one')
    const { withInProcessPlatform } = await import('./in-process-platform.ts')
    return withInProcessPlatform((base) => asOperator(database.knex, wanted, base, use))
  })
}

/** Over HTTP alone: with the key that the environment has, else as the person who signed in there. */
async function remote(url: string): Promise<Client> {
  const baseUrl = checkUrl(url)
  const { PLATFORM_API_KEY: apiKey } = process.env
  if (apiKey) return createClient({ baseUrl, apiKey })
  if ((await readSession())?.url === baseUrl)
    return createClient({ baseUrl, identityToken: async () => (await freshSession()).accessToken })
  throw new WrongUsage(`Not signed in to ${url}. Set PLATFORM_API_KEY, or run \`login --url ${url}\`.`)
}

/** The address of a platform, without the slash at its end. */
export function checkUrl(url: string): string {
  if (URL.canParse(url) && new URL(url).username + new URL(url).password !== '')
    throw new WrongUsage('The URL must not have a user or password: set PLATFORM_API_KEY')
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return trimEndOf(url, '/')
  throw new WrongUsage(`${JSON.stringify(url)} is not a valid URL such as https://platform.example.com`)
}

/** For commands that work on the database itself. */
export function refuseUrl({ url }: { url?: string }, command: string): void {
  if (url)
    throw new WrongUsage(
      `${command} needs access to the database: run it on a machine of the platform, without --url and PLATFORM_URL`
    )
}

export interface Running extends Living {
  readonly url: string
}

/** An instance of this machine that answers. */
export async function findRunning(knex: Knex): Promise<Running | undefined> {
  const here = (await listLiving(knex)).filter(
    (it): it is Running => it.host === hostname() && it.url !== null && !it.draining
  )
  for (const instance of here) if (await answers(instance)) return instance
  return undefined
}

/** Also on a machine of the same name something else may listen there, and would be shown a token. */
async function answers({ url, version }: Running): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { data } = (await reply.json()) as { data?: { status?: unknown; version?: unknown } }
    return data?.status === 'ok' && data.version === version
  } catch {
    return false
  }
}

/** One that has just been started is waited for. */
async function untilReady(url: string): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await delay(LOOK_MS)) {
    const reply = await fetch(`${url}/health/ready`).catch(() => undefined)
    await reply?.body?.cancel()
    if (reply?.ok) return
  }
  throw new Error(`The platform at ${url} runs but is not ready: \`status\` says why`)
}

/** Of whom `npm start` greets; empty where there is none, as in production. */
async function developmentKey({ DATA_DIR }: Settings): Promise<string> {
  return (await readFile(developmentKeyFile(DATA_DIR), 'utf8').catch(() => '')).trim()
}

/** With a token of its own, which is ended when `work` is, unless that made what goes on with it. */
async function asOperator<T>(
  knex: Knex,
  { project = DEFAULT_PROJECT, admin = false, minutes = 10, isContinued = false }: Wanted,
  base: { baseUrl: string; fetch?: typeof fetch },
  work: (client: Client) => Promise<T>
): Promise<T> {
  const operator = createOperator(knex)
  const { id, token } = await operator.mint(project, { admin, seconds: minutes * 60 })
  try {
    return await work(createClient({ ...base, apiKey: token }))
  } finally {
    if (!isContinued) await operator.end(id)
  }
}

/** A key belongs to one project, and without authentication everything is in one. */
async function checkProject(client: Client, project: string): Promise<void> {
  const { data } = await client.get('/v1/auth/me')
  if (data.project !== project)
    throw new WrongUsage(`The platform serves this caller in project ${data.project}, not ${project}`)
}
