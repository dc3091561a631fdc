/** A command that the deployment lets servers be started by. */
export interface AllowedCommand {
  /** Words; one of the form `{pattern}` is an open place, filled by an argument that the pattern matches whole. */
  readonly argv: readonly string[]
  /** Names of the platform's variables that the process gets, beside `PATH`. */
  readonly env: readonly string[]
  /** Of data that one of its processes may have. */
  readonly memoryMb: number
}

const DEFAULT_MEMORY_MB = 1_024
const openPlace = /^\{(.*)\}$/s

/** Reads `MCP_COMMANDS`; throws for what it does not understand, so that the pack does not start. */
export function parseCommands(text: string | undefined): ReadonlyMap<string, AllowedCommand> {
  if (text === undefined || text.trim() === '') return new Map()
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error('MCP_COMMANDS is no JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('MCP_COMMANDS must be an object of commands by their names')
  return new Map(Object.entries(parsed).map(([name, value]) => [name, parseCommand(name, value)]))
}

function parseCommand(name: string, value: unknown): AllowedCommand {
  const wrong = (what: string) => new Error(`MCP_COMMANDS: ${JSON.stringify(name)} ${what}`)
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) throw wrong('is no name of a command')
  const {
    argv,
    env = [],
    memoryMb = DEFAULT_MEMORY_MB,
    ...rest
  } = Array.isArray(value) ? { argv: value } : ((value ?? {}) as Record<string, unknown>)
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw wrong(`has an unknown field ${unknown}`)
  if (!isTexts(argv) || argv.length === 0 || openPlace.test(argv[0] as string))
    throw wrong('needs words, the first of which is the program')
  if (!isTexts(env)) throw wrong('needs names of variables in env')
  if (typeof memoryMb !== 'number' || !(memoryMb >= 64)) throw wrong('needs a memoryMb of at least 64')
  for (const word of argv) patternOf(word)
  return { argv, env, memoryMb }

  function patternOf(word: string) {
    try {
      return openPlaceOf(word)
    } catch {
      throw wrong(`has a pattern that is none: ${word}`)
    }
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((it) => typeof it === 'string' && it !== '' && !it.includes('\0'))

function openPlaceOf(word: string): RegExp | undefined {
  const pattern = openPlace.exec(word)?.[1]
  return pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`, 's')
}

/** The words to start it by; or the index of the argument that is missing, too much or not allowed. */
export function fill(
  command: AllowedCommand,
  args: readonly string[]
): string[] | { readonly wrong: number } {
  let next = 0
  const words: string[] = []
  for (const word of command.argv) {
    const pattern = openPlaceOf(word)
    if (!pattern) {
      words.push(word)
      continue
    }
    const arg = args[next]
    // What begins with a dash could be taken for an option, wherever it stands.
    if (
      arg === undefined ||
      arg.includes('\0') ||
      !pattern.test(arg) ||
      (arg.startsWith('-') && !pattern.source.startsWith('^(?:-'))
    )
      return { wrong: next }
    words.push(arg)
    next++
  }
  return next === args.length ? words : { wrong: next }
}
