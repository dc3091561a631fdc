import { Command, CommanderError } from 'commander'
import { AppProblems } from '../bundle/load-app.ts'
import { checkApp } from './check.ts'
import { createApp } from './create.ts'
import { developApp } from './dev.ts'
import { platformOf, UsageError } from './platform.ts'
import { publishApp } from './publish.ts'

const URL_OPTION = [
  '--url <address>',
  'of the platform; default: PLATFORM_URL, else http://127.0.0.1:3000'
] as const
const KEY_OPTION = [
  '--key-file <path>',
  'a file with an API key; default: the key in PLATFORM_API_KEY'
] as const

interface Flags {
  readonly url?: string
  readonly keyFile?: string
}

/** The command `agent-platform-app` with these arguments; gives its exit code. Prints what it has to say. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const print = (line: string) => console.log(line)
  const program = new Command('agent-platform-app')
    .description('Makes apps for Agent Platform')
    .exitOverride()
    .configureHelp({ sortSubcommands: false })
  program
    .command('create <folder>')
    .description('a new app with a function, a page and a test')
    .action((folder: string) => createApp(folder, print))
  program
    .command('check [folder]')
    .description('what is wrong with an app, what it asks for, and how large it is')
    .action(async (folder = '.') => {
      if (!(await checkApp(folder, print))) throw new CheckFailed()
    })
  program
    .command('dev [folder]')
    .description('shows its pages, has it on a platform, anew after each change, and prints what it logs')
    .option(...URL_OPTION)
    .option(...KEY_OPTION)
    .option('--port <number>', 'where its pages are shown', '4400')
    .action((folder: string | undefined, { port, ...flags }: Flags & { port: string }) =>
      developApp(folder ?? '.', { platform: platformOf(flags), port: Number(port), print })
    )
  program
    .command('publish [folder]')
    .description('registers this version of the app')
    .option(...URL_OPTION)
    .option(...KEY_OPTION)
    .option('--activate', 'in place of the version that is enabled, where it asks for no more')
    .action((folder: string | undefined, { activate = false, ...flags }: Flags & { activate?: boolean }) =>
      publishApp(folder ?? '.', { platform: platformOf(flags), activate, print })
    )
  try {
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    if (!(error instanceof CheckFailed)) console.error(wordsOf(error))
    return 1
  }
}

class CheckFailed extends Error {}

/** For the author; a stack is of use for faults of this command alone. */
function wordsOf(error: unknown): string {
  if (error instanceof AppProblems || error instanceof UsageError) return error.message
  const { name, message, code, stack, errors } = error as Error & { code?: string; errors?: unknown[] }
  if (name === 'ApiError') return `The platform says: ${message}${code === undefined ? '' : ` (${code})`}`
  // Of the bundler, with the places.
  if (name === 'ConnectionError' || errors) return message
  return stack ?? message
}
