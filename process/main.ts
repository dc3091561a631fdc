// The process: settings, database, packs, listen, signals, graceful close.
import './node-version.js'
import type { Logger } from 'pino'
import { pino } from 'pino'
import type { Platform } from '../kernel/platform.ts'
import type { Settings } from '../kernel/settings.ts'
import { developmentKeyFile, endDevelopmentKey } from './development-key.ts'
import { greeting } from './greeting.ts'
import { listen } from './listening.ts'
import { createLogOptions } from './log.ts'
import { installedVersion, readWholeConfiguration, refusalOf, startPlatform } from './start.ts'
import { createTerminal } from './terminal.ts'
import { watchLoop } from './watchdog.ts'

try {
  await serve()
} catch (error) {
  process.stderr.write(refusalOf(error))
  process.exit(1)
}

async function serve(): Promise<void> {
  const { env } = process
  const configuration = await readWholeConfiguration(env, pino({ level: 'silent' }))
  const { settings } = configuration
  const { production, LOG_LEVEL: level } = settings
  const terminal = createTerminal((text) => process.stdout.write(text))
  const isWatched = process.stdout.isTTY && !production && !env.LOG_LEVEL
  const log = isWatched ? pino(createLogOptions(level), terminal) : pino(createLogOptions(level))
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  watchLoop()
  const starting = startPlatform(configuration, log)

  let leaving = false
  const leave = async (signal: string) => {
    if (leaving) return
    leaving = true
    log.info({ signal }, 'shutting down')
    // What has begun to start is stopped in order: a database would go on by itself.
    const dropped = await starting.then(
      ({ close }) => close(),
      () => 0
    )
    log.info({ dropped }, 'stopped')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void leave(signal))

  const started = await starting
  if (leaving) return
  const { platform, where } = started
  const { url, ready } = await listen(started, settings)
  if (process.argv.includes('--watch')) platform.watch()
  log.info({ url, data: where }, 'listening')
  await ready
  // A signal may have come while there was no database.
  if (leaving) return
  log.info({ packs: platform.states() }, 'ready')
  if (!production) {
    const isTerminal = process.stdout.isTTY
    const about = { platform, settings, version: installedVersion(), url, where, isTerminal, log }
    process.stdout.write(await greeting(about))
  } else await withoutDevelopmentKey(settings, platform, log)
  terminal.settle()
}

/** The folder may have served development before. */
async function withoutDevelopmentKey({ DATA_DIR }: Settings, { credentials }: Platform, log: Logger) {
  const file = developmentKeyFile(DATA_DIR)
  try {
    if (await endDevelopmentKey(file, credentials)) log.warn({ file }, 'the development key was revoked')
  } catch (error) {
    log.error({ err: error, file }, 'a development key could not be revoked')
  }
}
