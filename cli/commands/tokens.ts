import { text } from 'node:stream/consumers'
import type { Restrictions } from 'agent-platform-client'
import { inspect, narrow, seal } from 'agent-platform-client'
import { Command } from 'commander'
import { WrongUsage } from '../faults.ts'
import { examples, jsonOption, say, show } from '../output.ts'

interface Common {
  readonly stdin?: boolean
  readonly json?: boolean
}
interface Narrowing extends Common, Omit<Restrictions, 'expires'> {
  readonly expires?: Date
  readonly seal?: boolean
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export function tokensCommand(): Command {
  const tokens = new Command('token').description('Create and inspect restricted tokens, offline')
  examples(
    common(tokens.command('narrow'))
      .description('Create a restricted token from the key or token in PLATFORM_API_KEY or on stdin')
      .option('--expires <when>', 'time of expiry, or time until then: 30m, 12h, 7d', timeOf)
      .option('--scopes <list>', 'only these scopes, comma-separated', listOf)
      .option('--agents <list>', 'only these agents and their resources, by ID, comma-separated', listOf)
      .option('--tools <list>', 'only these tools in its runs, by name or ID, comma-separated', listOf)
      .option(
        '--hosts <list>',
        'only these hosts for tools in its runs: host, *.host or host:port, comma-separated',
        listOf
      )
      .option('--spend <credits>', 'maximum cost of its runs in total, in credits')
      .option('--seal', 'seal the token, so that it cannot be restricted further')
      .action(narrowIt),
    'token narrow --expires 12h --agents agent_01k4qz0000e0080000000000ab',
    'token narrow --stdin --scopes agents:run --tools calculator,http_fetch --hosts example.com < key'
  )
  examples(
    common(tokens.command('seal'))
      .description('Seal a token, so that it cannot be restricted further')
      .action(async (options: Common) => said(await seal(await given(options)).catch(asUsage), options)),
    'token seal'
  )
  examples(
    common(tokens.command('inspect'))
      .description(
        'Show the restrictions of a token, block by block. Does not check whether the platform accepts the token'
      )
      .action(inspectIt),
    'token inspect --stdin < token'
  )
  return tokens
}

const common = (command: Command): Command =>
  command
    .allowExcessArguments(false)
    .option('--stdin', 'read the key or token from stdin instead of PLATFORM_API_KEY')
    .addOption(jsonOption())

/** Never an argument: those are seen by everybody on the machine, and stay in histories. */
async function given({ stdin }: Common): Promise<string> {
  const found = stdin ? await text(process.stdin) : process.env.PLATFORM_API_KEY
  if (!found?.trim()) throw new WrongUsage('No key or token: set PLATFORM_API_KEY, or use --stdin')
  return found.trim()
}

const said = (token: string, { json }: Common) => say(token, { token }, json)

async function narrowIt({ seal: isSealed, stdin, json, ...restrictions }: Narrowing): Promise<void> {
  const token = await narrow(await given({ ...(stdin && { stdin }) }), restrictions).catch(asUsage)
  said(isSealed ? await seal(token) : token, { ...(json && { json }) })
}

async function inspectIt(options: Common): Promise<void> {
  const { blocks, sealed } = await Promise.try(async () => inspect(await given(options))).catch(asUsage)
  if (options.json) {
    say('', { blocks, sealed }, true)
    return
  }
  const rows = blocks.flatMap((block, at) =>
    Object.entries(block).map(([name, value]) => ({ at: at + 1, name, value: [value].flat().join(' ') }))
  )
  show(rows, {
    block: (row) => String(row.at),
    restriction: (row) => row.name,
    'what is left': (row) => row.value
  })
  say(sealed ? 'It is sealed.' : 'Whoever holds it may narrow it further.')
}

/** What the library says is wrong with what was written. */
function asUsage(error: unknown): never {
  const isWrong = error instanceof TypeError || error instanceof RangeError
  throw isWrong ? new WrongUsage(error.message) : error
}

const listOf = (list: string): readonly string[] => list.split(',').filter(Boolean)

function timeOf(when: string): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(when) ?? []
  const at = count ? new Date(Date.now() + Number(count) * UNITS[unit as keyof typeof UNITS]) : new Date(when)
  if (Number.isNaN(at.getTime()))
    throw new WrongUsage(`--expires: ${JSON.stringify(when)} is not a valid time`)
  return at
}
