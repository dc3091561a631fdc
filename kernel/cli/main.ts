// The operator's commands: `npm run -s platform -- <command>`, on a stopped or a running platform.
import { Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { codeOf, Interrupted, lineOf, WRONG_USAGE } from './faults.ts'
import { heedInterruption, interrupt } from './interruption.ts'
import { examples, invocation, note } from './output.ts'

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  status: async () => (await import('./commands/status.ts')).statusCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(),
  projects: async () => (await import('./commands/projects.ts')).projectsCommand(),
  packs: async () => (await import('./commands/packs.ts')).packsCommand(),
  secrets: async () => (await import('./commands/secrets.ts')).secretsCommand(),
  agents: async () => (await import('./commands/agents.ts')).agentsCommand(),
  run: async () => (await import('./commands/run.ts')).runCommand()
}

const program = new Command(invocation)
  .description('Everything an operator does to a platform, whether it runs or not')
  .version(manifest.version)
  .addHelpText(
    'after',
    `
It finds the platform by the environment variables with which \`npm start\` is called: one that runs on this machine is
asked, else one is started for the command alone. PLATFORM_URL (or --url) and PLATFORM_API_KEY name one elsewhere.

Exit codes: 0 done, 1 failed, ${WRONG_USAGE} wrong usage, 130 interrupted.`
  )
examples(program, 'keys create --name laptop --type user --admin', 'packs list', 'packs --help')
// Only what is asked for is loaded: all of it takes a second.
const [asked = ''] = process.argv.slice(2)
const wanted = Object.hasOwn(commands, asked) ? [asked] : Object.keys(commands)
for (const [name, load] of Object.entries(commands))
  if (wanted.includes(name)) program.addCommand(await load())
inherit(program)

heedInterruption()
// Whoever reads may have enough: `packs list | head -1`.
process.stdout.on('error', interrupt)

await program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE
  else {
    note(lineOf(error))
    process.exitCode = codeOf(error)
    // A request that nobody waits for any more would be waited for.
    if (error instanceof Interrupted) process.exit()
  }
})

/** Faults end no command by themselves, and are told in one line, also in commands of commands. */
function inherit(command: Command): void {
  command.exitOverride().configureOutput({
    outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`)
  })
  command.commands.forEach(inherit)
}
