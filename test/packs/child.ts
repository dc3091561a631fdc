// A platform in a process of its own, with packs that no deployment's file names: `crash.test.ts` starts it.
import { pino } from 'pino'
import { parseDeployment, root } from '../../kernel/deployment.ts'
import { createPlatform } from '../../kernel/platform.ts'
import { readSettings } from '../../kernel/settings.ts'

const { settings, faults } = readSettings(process.env)
if (faults.length > 0) throw new Error(faults.join('; '))
const platform = await createPlatform({
  settings,
  deployment: parseDeployment(JSON.parse(process.env.STAGE_DEPLOYMENT ?? '{}'), root),
  connection: JSON.parse(process.env.STAGE_CONNECTION ?? '{}'),
  version: '0.0.0-test',
  log: pino({ level: settings.LOG_LEVEL })
})
const { port, ready } = await platform.listen(settings.PORT)
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
await ready
process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
