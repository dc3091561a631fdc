// The operator's commands: `npm run -s platform -- <command>`.
import { Command, Option } from 'commander'
import { createKey } from './keys.ts'

const program = new Command('platform').description(
  'Commands of the operator, on a stopped or a running platform'
)

const keys = program.command('keys').description('Keys of principals')
keys
  .command('create')
  .description('Make a project key and print it alone: it is shown this once')
  .requiredOption('--name <name>', 'what the key is for')
  .addOption(
    new Option('--type <type>', 'whose key it is').choices(['service', 'user', 'agent']).default('service')
  )
  .option('--project <id>', 'made when it is missing', 'default')
  .option('--principal <id>', 'left out: a new one')
  .option('--scopes <list>', 'separated by commas; left out: all of the project', (list) => list.split(','))
  .addOption(
    new Option('--env <environment>', 'of a new project: live unless said').choices(['live', 'test'])
  )
  .option('--admin', 'may also change packs and do what else needs platform:admin')
  .addHelpText(
    'after',
    '\nExample:\n  KEY=$(npm run -s platform -- keys create --name laptop --type user --admin)'
  )
  .action(createKey)

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
