import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findLines } from './outputs.ts'
import { plainEnvironment } from './tools.ts'

/** A command that neither ends nor says what it should within this time has failed. */
const PATIENCE_MS = 600_000

export interface Place {
  readonly folder: string
  readonly port: number
  readonly patience?: number
}

// What is installed already is not installed again: the packages are linked.
const prologue = `npm() { if [ "$*" = ci ]; then return 0; fi; command npm "$@"; }`

const start = ({ folder, port }: Place, program: string, args: readonly string[]): ChildProcess =>
  spawn(program, [...args], {
    cwd: folder,
    env: { ...plainEnvironment(folder), PORT: String(port) },
    detached: true
  })

/** On a terminal, since what serves says other things there than to a file. */
const onTerminal = (place: Place, commands: string): ChildProcess =>
  process.platform === 'darwin'
    ? start(place, 'script', ['-q', '/dev/null', 'bash', '--norc', '-e', '-c', commands])
    : start(place, 'script', ['-qfe', '-c', `bash --norc -e -c ${quoted(commands)}`, '/dev/null'])
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const CTRL_C = '\x03'

/** The terminal in which one command after another is run; what one of them sets is there for the next. */
export function openTerminal(place: Place) {
  const { patience = PATIENCE_MS } = place
  const child = start(place, 'bash', ['--norc', '-s'])
  const exited = once(child, 'close')
  let output = ''
  let hear = () => {}
  const collect = (chunk: string) => {
    output += chunk
    hear()
  }
  child.stdout?.setEncoding('utf8').on('data', collect)
  child.stderr?.setEncoding('utf8').on('data', collect)
  child.stdin?.on('error', () => {})
  const scratch = mkdtemp(join(tmpdir(), 'agent-platform-terminal-'))
  child.stdin?.write(`exec 2>&1\nset -u\n${prologue}\n`)
  let count = 0

  /** What the commands print. Rejects where one of them fails, or where none does and one should. */
  async function run(commands: string, { fails = false } = {}): Promise<string> {
    const script = join(await scratch, `${++count}.sh`)
    await writeFile(script, `${commands}\n`)
    const end = `-- the end of ${count}:`
    output = ''
    child.stdin?.write(`set ${fails ? '+' : '-'}e; source '${script}' < /dev/null; echo "${end}$?"; set +e\n`)
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`it takes too long, and printed:\n${output}`)), patience)
    try {
      for (;;) {
        const [printed = '', status] = output.split(end)
        if (status?.endsWith('\n')) {
          if (fails === (Number(status) === 0))
            throw new Error(`it ${fails ? 'did not fail' : 'failed'}, and printed:\n${printed}`)
          return printed
        }
        const more = Promise.withResolvers<void>()
        hear = more.resolve
        const ended = exited.then(() => Promise.reject(new Error(`it failed, and printed:\n${output}`)))
        ended.catch(() => {})
        await Promise.race([more.promise, ended, late])
      }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    run,
    async close() {
      stop(child, 'SIGKILL')
      await exited
      await rm(await scratch, { recursive: true, force: true })
    }
  }
}

/** The other terminal, in which something serves until it is left with Ctrl-C. */
export function openServer(place: Place, commands: string) {
  const { patience = PATIENCE_MS } = place
  const child = onTerminal(place, `${prologue}\n${commands}`)
  const exited = once(child, 'close')
  let output = ''
  let seen = 0
  let hasEnded = false
  let hear = () => {}
  const collect = (chunk: string) => {
    output += stripVTControlCharacters(chunk).replaceAll('\r', '')
    hear()
  }
  child.stdout?.setEncoding('utf8').on('data', collect)
  child.stderr?.setEncoding('utf8').on('data', collect)
  child.stdin?.on('error', () => {})
  void exited.then(() => {
    hasEnded = true
    hear()
  })

  /** Resolves when these lines have been printed behind those that were shown before. */
  async function shows(lines: string): Promise<void> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      hear()
    }, patience)
    try {
      for (;;) {
        const at = findLines(lines, output.slice(seen))
        if (at !== undefined) {
          seen += at
          return
        }
        if (hasEnded || isLate)
          throw new Error(
            `${hasEnded ? 'it ended' : 'it takes too long'}, and printed:\n${output.slice(seen)}`
          )
        const more = Promise.withResolvers<void>()
        hear = more.resolve
        await more.promise
      }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    shows,
    isServing: () => !hasEnded,
    /** What it printed so far is to be shown once more. */
    rewind() {
      seen = 0
    },
    /** Ctrl-C, which everything that runs in a terminal is told. */
    async leave() {
      child.stdin?.write(CTRL_C)
      const timer = setTimeout(() => stop(child, 'SIGKILL'), patience)
      await exited
      clearTimeout(timer)
    }
  }
}

function stop({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
