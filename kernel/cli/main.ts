// The operator's commands: `npm run -s platform -- <command>`, on a stopped or a running platform.
import { Command, Option } from 'commander'
import type { Environment } from '../gateway/keys.ts'
import type { KeyOrder } from '../gateway/project-keys.ts'
import { createProjectKeys } from '../gateway/project-keys.ts'
import { withDatabase } from './database.ts'

const types = new Option('--type <type>', 'whose key it is').choices(['service', 'user', 'agent'])
const environments = new Option('--env <environment>', 'of a new project: live unless said')

const program = new Command('platform')
program
  .command('keys')
  .description('Keys of principals')
  .command('create')
  .description('Make a project key and print it alone: it is shown this once')
  .requiredOption('--name <name>', 'what the key is for')
  .addOption(types.default('service'))
  .option('--project <id>', 'made when it is missing', 'default')
  .option('--principal <id>', 'left out: a new one')
  .option('--scopes <list>', 'separated by commas; left out: all of the project', (list) => list.split(','))
  .addOption(environments.choices(['live', 'test']))
  .option('--admin', 'may also change packs and do what else needs platform:admin')
  .action(({ env, ...order }: KeyOrder & { env?: Environment }) =>
    withDatabase(async (knex) => {
      const key = await createProjectKeys(knex)({ ...order, ...(env && { environment: env }) })
      process.stdout.write(`${key}\n`)
    })
  )

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
