import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { codeOf, lineOf, onOneLine, WRONG_USAGE } from './faults.ts'
import { examples, invocation, note } from './output.ts'

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  status: async () => (await import('./commands/status.ts')).statusCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  console: async () => (await import('./commands/console.ts')).consoleCommand(),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(),
  token: async () => (await import('./commands/tokens.ts')).tokensCommand(),
  login: async () => (await import('./commands/session.ts')).loginCommand(),
  logout: async () => (await import('./commands/session.ts')).logoutCommand(),
  whoami: async () => (await import('./commands/session.ts')).whoamiCommand(),
  people: async () => (await import('./commands/people.ts')).peopleCommand(),
  projects: async () => (await import('./commands/projects.ts')).projectsCommand(),
  packs: async () => (await import('./commands/packs.ts')).packsCommand(),
  secrets: async () => (await import('./commands/secrets.ts')).secretsCommand(),
  agents: async () => (await import('./commands/agents.ts')).agentsCommand(),
  run: async () => (await import('./commands/run.ts')).runCommand(),
  runs: async () => (await import('./commands/runs.ts')).runsCommand(),
  audit: async () => (await import('./commands/audit.ts')).auditCommand(),
  provenance: async () => (await import('./commands/provenance.ts')).provenanceCommand()
}

const about = `
The commands use the environment variables of \`npm start\` to find the platform on this machine. If none is running, they
start one for the duration of the command. PLATFORM_URL (or --url) selects a remote platform, with PLATFORM_API_KEY or as
the person who signed in with 'login'.

Exit codes: 0 done, 1 failed, ${WRONG_USAGE} wrong usage, 130 interrupted.`

/** Runs one command, in the environment of this process: the code to exit with. What went wrong has been said by then. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const program = new Command(invocation)
    .description('Operate an Agent Platform, whether it runs or not')
    .version(manifest.version)
    .addHelpText('after', about)
  examples(program, 'keys create --name laptop --type user --admin', 'packs list', 'packs --help')
  // Only what is asked for is loaded: all of it takes a second.
  const [asked = ''] = args
  const wanted = Object.hasOwn(commands, asked) ? [asked] : Object.keys(commands)
  for (const [name, load] of Object.entries(commands))
    if (wanted.includes(name)) program.addCommand(await load())
  inherit(program)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
    note(lineOf(error))
    return codeOf(error)
  }
}

/** Faults end no command by themselves, and are printed in one line, also in commands of commands. */
function inherit(command: Command): void {
  command.exitOverride().configureOutput({
    outputError: (text, write) => write(`${onOneLine(text)}\n`)
  })
  command.commands.forEach(inherit)
}
