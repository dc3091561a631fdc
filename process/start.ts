import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Connection } from '../kernel/database/connect.ts'
import { openDataDir } from '../kernel/database/data-dir.ts'
import type { Embedded } from '../kernel/database/embedded/server.ts'
import { startEmbedded } from '../kernel/database/embedded/server.ts'
import type { Deployment } from '../kernel/deployment.ts'
import { readDeployment, root } from '../kernel/deployment.ts'
import { environmentFaults } from '../kernel/packs/loader/environment.ts'
import { createLoader } from '../kernel/packs/loader/loader.ts'
import type { Platform, PlatformOptions } from '../kernel/platform.ts'
import { createPlatform } from '../kernel/platform.ts'
import type { Settings } from '../kernel/settings.ts'
import { readSettings } from '../kernel/settings.ts'

/** Why the platform cannot start: each fault in a line of its own, for the operator. */
export class StartFaults extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** What the operator reads where it does not start: one fault in one line, several in a line each. */
export function refusalOf(error: unknown): string {
  const faults = error instanceof StartFaults ? error.faults : [(error as Error).message]
  const [only, ...others] = faults.map(onOneLine)
  const text = others.length === 0 ? ` ${only}` : ['', only, ...others].join('\n  - ')
  return `The platform cannot start:${text}\n`
}

const onOneLine = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')

export interface Configuration {
  readonly settings: Settings
  readonly deployment: Deployment
}

/** What the environment and the deployment's file say. Throws `StartFaults` with all that is wrong with them. */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const { settings, deployment, faults } = read(env)
  if (deployment && faults.length === 0) return { settings, deployment }
  throw new StartFaults(faults)
}

/** The same, and where something is wrong all that packs say of their variables as well. */
export async function readWholeConfiguration(
  env: NodeJS.ProcessEnv,
  log: FastifyBaseLogger
): Promise<Configuration> {
  const { settings, deployment, faults } = read(env)
  if (deployment && faults.length === 0) return { settings, deployment }
  if (!deployment) throw new StartFaults(faults)
  // DATA_DIR may be at fault, or not be what was meant.
  const versions = await mkdtemp(join(tmpdir(), 'agent-platform-'))
  const more = await packFaults({ settings, deployment }, versions, log).finally(() =>
    rm(versions, { recursive: true, force: true })
  )
  throw new StartFaults([...faults, ...more])
}

function read(
  env: NodeJS.ProcessEnv
): Partial<Pick<Configuration, 'deployment'>> & ReturnType<typeof readSettings> {
  const { settings, faults } = readSettings(env)
  try {
    return { settings, faults, deployment: readDeployment(settings.DEPLOYMENT) }
  } catch (error) {
    return { settings, faults: [...faults, (error as Error).message] }
  }
}

const packFaults = (
  { settings, deployment }: Configuration,
  versions: string,
  log: FastifyBaseLogger
): Promise<readonly string[]> =>
  environmentFaults(createLoader({ folders: deployment.folders, versions, log }), settings.environment)

/** The version of this installation. */
export const installedVersion = (): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version

export interface Started {
  readonly platform: Platform
  /** Folder of the embedded database, where there is no other. */
  readonly where: string | undefined
  /** Drains and closes the platform, then its database. Says how many requests were cut off. */
  close(): Promise<number>
}

/**
 * A platform on its database, the embedded one where no other is named; it does not listen yet. What can be known
 * to be wrong without the database is thrown before that is started.
 */
export async function startPlatform(
  configuration: Configuration,
  log: FastifyBaseLogger,
  options: Pick<PlatformOptions, 'inProcess'> = {}
): Promise<Started> {
  const { settings, deployment } = configuration
  openDataDir(settings.DATA_DIR, settings.DATABASE_URL === undefined)
  const faults = await packFaults(configuration, join(settings.DATA_DIR, 'packs'), log)
  if (faults.length > 0) throw new StartFaults(faults)
  let embedded: Embedded | undefined
  let connection: Connection = { connectionString: settings.DATABASE_URL }
  if (!settings.DATABASE_URL) {
    embedded = await startEmbedded({ dataDir: join(settings.DATA_DIR, 'postgres'), log })
    connection = embedded.connection
  }
  const version = installedVersion()
  const parts = { settings, deployment, connection, version, log, ...options }
  const platform = await createPlatform(parts).catch(async (error) => {
    await embedded?.leave()
    throw error
  })
  return {
    platform,
    where: embedded?.where,
    async close() {
      const dropped = await platform.close()
      await embedded?.leave()
      return dropped
    }
  }
}
