// The process: settings, database, packs, listen, signals, graceful close.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Connection } from './data/connect.ts'
import type { Embedded } from './data/embedded/server.ts'
import { startEmbedded } from './data/embedded/server.ts'
import type { Deployment } from './deployment.ts'
import { readDeployment, root } from './deployment.ts'
import { createLogOptions } from './log.ts'
import { createPlatform } from './platform.ts'
import { readSettings } from './settings.ts'

const { settings, faults: found } = readSettings(process.env)
const faults = [...found]
let deployment: Deployment | undefined
try {
  deployment = readDeployment(settings.DEPLOYMENT)
} catch (error) {
  faults.push((error as Error).message)
}
if (!deployment || faults.length > 0) refuse(faults)

function refuse(lines: readonly string[]): never {
  process.stderr.write(`The platform cannot start:\n${lines.map((line) => `  - ${line}\n`).join('')}`)
  process.exit(1)
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const log = pino(createLogOptions(settings.LOG_LEVEL))
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

try {
  await serve(deployment)
} catch (error) {
  refuse([(error as Error).message])
}

async function serve(deployment: Deployment): Promise<void> {
  let embedded: Embedded | undefined
  let connection: Connection = { connectionString: settings.DATABASE_URL }
  if (!settings.DATABASE_URL) {
    embedded = await startEmbedded({ dataDir: join(settings.DATA_DIR, 'postgres'), log })
    connection = embedded.connection
  }
  const parts = { settings, deployment, connection, version, log }
  const platform = await createPlatform(parts).catch(async (error) => {
    await embedded?.leave()
    throw error
  })
  const environmentFaults = await platform.environmentFaults()
  if (environmentFaults.length > 0) {
    await platform.close()
    await embedded?.leave()
    refuse(environmentFaults)
  }

  let leaving = false
  const leave = async (signal: string) => {
    if (leaving) return
    leaving = true
    log.info({ signal }, 'shutting down')
    const dropped = await platform.close()
    await embedded?.leave()
    log.info({ dropped }, 'stopped')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void leave(signal))

  const { port, ready } = await platform.listen().catch(async (error: NodeJS.ErrnoException) => {
    await embedded?.leave()
    throw error.code === 'EADDRINUSE'
      ? new Error(`PORT ${settings.PORT} is taken on ${settings.HOST}`)
      : error
  })
  if (process.argv.includes('--watch')) platform.watch()
  log.info({ url: `http://${settings.HOST}:${port}`, data: embedded?.where }, 'listening')
  await ready
  log.info({ packs: platform.packs() }, 'ready')
}
