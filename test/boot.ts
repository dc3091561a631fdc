import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient as createRedisClient } from '@redis/client'
import { pino } from 'pino'
import { parseDeployment, root } from '../kernel/deployment.ts'
import type { Platform } from '../kernel/platform.ts'
import { createPlatform } from '../kernel/platform.ts'
import { readSettings } from '../kernel/settings.ts'
import type { Client } from './client.ts'
import { createClient } from './client.ts'
import { countStart } from './cpu.ts'
import { sharePackCopies } from './data-dir.ts'
import type { Connection } from './database.ts'
import { database } from './database.ts'
import { settled } from './facts.ts'
import { migrated } from './migrated.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface BootOptions {
  /** Packs that are on; default: all that are found. */
  readonly packs?: readonly string[]
  /** Further folders of packs. */
  readonly folders?: readonly string[]
  /** The rest of the deployment's file. */
  readonly deployment?: object
  readonly env?: Readonly<Record<string, string>>
  /** Another instance on the same database; default: a database of its own. */
  readonly beside?: Booted
  /** Lines of the log, as objects. */
  readonly log?: (line: Record<string, unknown>) => void
}

export interface Booted {
  readonly platform: Platform
  readonly url: string
  readonly connection: Connection
  readonly dataDir: string
  /** A client as a principal of that name, made on first use, in project `default` unless another is named. */
  as(
    name: string,
    options?: { project?: string; type?: 'user' | 'service' | 'agent'; owner?: string; scopes?: string[] }
  ): Client
  /** A client that may change packs. */
  readonly admin: Client
  /** Without a credential. */
  readonly anyone: Client
  /** Resolves when every fact recorded so far has been handled, and what goes with what is gone is deleted. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** With `TEST_REDIS_URL` a database on that server that no test beside this one has: the same in all its processes. */
export function redisUrl(): { REDIS_URL?: string } {
  const { TEST_REDIS_URL: server, TEST_WORKER, TAP_JOB_ID } = process.env
  return server ? { REDIS_URL: `${server}/${1 + (Number(TEST_WORKER ?? TAP_JOB_ID ?? 0) % 15)}` } : {}
}
async function emptyRedis() {
  const { REDIS_URL: url } = redisUrl()
  if (!url) return
  const client = createRedisClient({ url })
  await client.connect()
  await client.flushDb()
  await client.quit()
}

/** With what they require, as far as they lie in `plugins`. */
async function withRequired(names: readonly string[], known = new Set<string>()): Promise<string[]> {
  for (const name of names.filter((name) => !known.has(name))) {
    known.add(name)
    const file = resolve(root, 'plugins', name, 'pack.ts')
    if (existsSync(file)) await withRequired((await import(file)).default.requires ?? [], known)
  }
  return [...known]
}

/**
 * A whole platform for one test: `boot(t, 'goals')`, with what that requires, or `boot(t, { … })`; it goes with the
 * test.
 */
export async function boot(t: Scope, ...wanted: (string | BootOptions)[]): Promise<Booted> {
  const names = wanted.filter((it) => typeof it === 'string')
  const options = wanted.find((it) => typeof it === 'object') ?? {}
  const packs =
    options.packs ?? (names.length > 0 ? await withRequired(['access', 'agents', ...names]) : undefined)
  const { beside } = options
  const connection = beside?.connection ?? (await database(t, migrated(packs))).connection
  const dataDir = await mkdtemp(join(tmpdir(), 'agent-platform-boot-'))
  // A further instance has modules of its own, as in another process.
  if (!beside) {
    await sharePackCopies(dataDir, options.folders !== undefined)
    await emptyRedis()
  }
  const env = {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: options.log ? 'info' : 'silent',
    PLATFORM_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    GATEWAY_LIMIT_PER_MINUTE: '1000000',
    SENSITIVE_LIMIT_PER_MINUTE: '1000000',
    ANONYMOUS_LIMIT_PER_MINUTE: '1000000',
    PLATFORM_LIMIT_PER_MINUTE: '1000000',
    ...redisUrl(),
    ...options.env
  }
  const { settings, faults } = readSettings(env)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const folders = [resolve(root, 'plugins'), ...(options.folders ?? [])]
  const on = packs && Object.fromEntries(packs.map((name) => [name, { enabled: true }]))
  const deployment = parseDeployment(
    { folders, ...(on && { enabled: false, packs: on }), ...options.deployment },
    root
  )
  const { log: hear } = options
  const log = hear
    ? pino({ level: 'info' }, { write: (line: string) => hear(JSON.parse(line)) })
    : pino({ level: settings.LOG_LEVEL })
  countStart()
  const platform = await createPlatform({ settings, deployment, connection, version: '0.0.0-test', log })
  const { port, ready } = await platform.listen(0)
  let closing: Promise<unknown> | undefined
  const close = async () => {
    // Of this process: no request of theirs is on its way.
    if (!closing) platform.http.closeIdleConnections()
    closing ??= platform.close(5_000).then(() => rm(dataDir, { recursive: true, force: true }))
    await closing
  }
  t.teardown(close)
  await ready
  const url = `http://127.0.0.1:${port}`
  const clients = new Map<string, Client>()

  const as: Booted['as'] = (name, { project = 'default', type = 'user', owner, scopes } = {}) => {
    const place = JSON.stringify([name, project, type, owner, scopes])
    const known = clients.get(place)
    if (known) return known
    const order = { project, environment: 'test' as const, type, principal: name, name, admin: false }
    const key = platform.credentials.createKey({
      ...order,
      ...(owner && { owner }),
      ...(scopes && { scopes })
    })
    const client = createClient(url, name, key)
    clients.set(place, client)
    return client
  }
  const admin = () => {
    const name = `admin-${randomUUID().slice(0, 8)}`
    const order = { project: 'default', environment: 'test', type: 'user', name, principal: name } as const
    return createClient(url, 'admin', platform.credentials.createKey({ ...order, admin: true }))
  }
  let adminClient: Client | undefined
  return {
    platform,
    url,
    connection,
    dataDir,
    as,
    get admin() {
      adminClient ??= admin()
      return adminClient
    },
    anyone: createClient(url, 'anyone'),
    async settled() {
      await settled(platform.knex, platform.facts, () => platform.server.current().listeners)
      while (await platform.knex('kernel.pending_deletion').first()) await delay(10)
    },
    close
  }
}
