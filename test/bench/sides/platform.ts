import { pino } from 'pino'
import { parseDeployment, root } from '../../../kernel/deployment.ts'
import { SCOPES } from '../../../kernel/identity/scopes.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { createPlatform } from '../../../kernel/platform.ts'
import { readSettings } from '../../../kernel/settings.ts'
import { createLogOptions } from '../../../process/log.ts'
import { settled } from '../../facts.ts'
import type { PlatformOrder } from '../platform.ts'
import { answer } from './answers.ts'

const LIMIT = '1000000000'
const LIMITS = {
  GATEWAY_LIMIT_PER_MINUTE: LIMIT,
  PLATFORM_LIMIT_PER_MINUTE: LIMIT,
  SENSITIVE_LIMIT_PER_MINUTE: LIMIT,
  ANONYMOUS_LIMIT_PER_MINUTE: LIMIT
}
let platform: Platform | undefined
let address = { url: '', key: '' }

async function start({ connection, folders, packs, dataDir, env }: PlatformOrder) {
  const secret = Buffer.alloc(32, 7).toString('base64')
  const { settings } = readSettings({ DATA_DIR: dataDir, PLATFORM_SECRET_KEY: secret, ...LIMITS, ...env })
  const on = Object.fromEntries(packs.map((name) => [name, { enabled: true }]))
  platform = await createPlatform({
    settings,
    deployment: parseDeployment({ folders, enabled: false, packs: on }, root),
    connection,
    version: '0.0.0-bench',
    log: pino(createLogOptions('info'), pino.destination('/dev/null'))
  })
  const { port, ready } = await platform.listen(0)
  await ready
  const missing = packs.filter((name) => !platform?.states().up.includes(name))
  if (missing.length > 0) throw new Error(`Not up: ${missing.join(', ')}`)
  address = { url: `http://127.0.0.1:${port}`, key: await key('default') }
}

/** Of a caller in that project, with all scopes. */
async function key(project: string): Promise<string> {
  if (!platform) throw new Error('The platform has not started')
  return platform.credentials.createKey({
    project,
    environment: 'test',
    type: 'user',
    principal: 'bench',
    name: 'bench',
    scopes: [
      ...SCOPES,
      ...[
        'a2a',
        'files',
        'knowledge',
        'things',
        'sessions',
        'spaces',
        'tasks',
        'tools',
        'mcp',
        'oauth',
        'provenance',
        'tool-keys',
        'workflows',
        'ui-plugins'
      ].flatMap((area) => [`${area}:read`, `${area}:write`])
    ],
    admin: true
  })
}

async function allSettled() {
  if (!platform) return
  const { knex, facts, server } = platform
  // Seldom: what is measured is not how often it is asked whether it is done.
  await settled(knex, facts, () => server.current().listeners, 250)
}

let closing: Promise<unknown> | undefined

/** As SIGTERM does. */
async function close(ms?: number) {
  closing ??= platform?.close(ms)
  await closing
}

answer({ start, address: () => address, key, settled: allSettled, close: () => close() }, () => close(2_000))
