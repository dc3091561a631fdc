import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { root } from '../../kernel/deployment.ts'
import { redisUrl } from '../boot.ts'
import { sharePackCopies } from '../data-dir.ts'
import type { Connection } from '../database.ts'
import { temporaryFolder } from '../pack-folders.ts'
import { childEnvironment } from '../shared-folder.ts'
import type { Scope } from './stage.ts'

export interface Running {
  readonly url: string
  readonly child: ChildProcess
  /** Resolves when it serves. */
  readonly ready: Promise<void>
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>
}

/** Starts a file as a process that says where it listens and when it is ready, in lines of JSON. */
export async function start(t: Scope, file: string, env: Readonly<Record<string, string>>): Promise<Running> {
  const DATA_DIR = await temporaryFolder(t)
  await sharePackCopies(DATA_DIR, true)
  const child = spawn(
    process.execPath,
    ['--import', join(root, 'kernel/packs/loader/modules.ts'), resolve(root, file), '--test'],
    {
      env: {
        ...childEnvironment(),
        PORT: '0',
        LOG_LEVEL: 'info',
        DATA_DIR,
        PLATFORM_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        GATEWAY_LIMIT_PER_MINUTE: '1000000',
        ANONYMOUS_LIMIT_PER_MINUTE: '1000000',
        ...redisUrl(),
        ...env
      },
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  t.teardown(kill)
  const where = Promise.withResolvers<string>()
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
    // Beside the log stands what a developer reads.
    if (!line.startsWith('{')) return
    const said = JSON.parse(line)
    if (said.url) where.resolve(said.url)
    if (said.ready || said.msg === 'ready') ready.resolve()
  })
  void exited.then(() => {
    for (const { reject } of [where, ready]) reject(new Error(`${file} has ended`))
  })
  return { url: await where.promise, child, ready: ready.promise, kill }
}

/** A platform in a process of its own, on a database that others use as well. */
export const startPlatform = (
  t: Scope,
  connection: Connection,
  folders: readonly string[],
  packs: readonly string[],
  env: Readonly<Record<string, string>> = {}
) =>
  start(t, fileURLToPath(new URL('child.ts', import.meta.url)), {
    LOG_LEVEL: 'silent',
    ...env,
    STAGE_CONNECTION: JSON.stringify(connection),
    STAGE_DEPLOYMENT: JSON.stringify({
      folders: [join(root, 'plugins'), ...folders],
      enabled: false,
      packs: Object.fromEntries(['access', 'packs', ...packs].map((name) => [name, { enabled: true }]))
    })
  })
