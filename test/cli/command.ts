import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { runProgram } from '../../cli/program.ts'
import { root } from '../../kernel/deployment.ts'
import { serve } from '../http/process.ts'
import { childEnvironment } from '../shared-folder.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
export type Env = Readonly<Record<string, string>>

/** Tells the built-in model to say something, be silent for a minute, and go on. */
export const LONG = '/repeat 20 word\n/wait 60000\n/say the end'

/** What a command left behind. */
export interface Done {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Begun {
  readonly child: ChildProcess
  /** Resolves with what it printed so far, as soon as that holds `text`; rejects when it ends before. */
  said(text: string): Promise<string>
  readonly done: Promise<Done>
}

/** Begins a command of the operator's as a process, without a terminal. */
export function begin(t: Scope, env: Env, args: readonly string[]): Begun {
  const child = spawn(
    process.execPath,
    ['--import', './kernel/packs/loader/modules.ts', 'cli/main.ts', ...args],
    { cwd: root, env: { ...childEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] }
  )
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text
  })
  const done = once(child, 'close').then(([code]) => ({ code, out, err }))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await done
  })
  async function said(text: string) {
    const ended = done.then(() => true)
    while (!out.includes(text))
      if (await Promise.race([ended, once(child.stdout, 'data').then(() => false)]))
        throw new Error(`It ended without ${text}: ${out}${err}`)
    return out
  }
  return { child, said, done }
}

/** What commands in this process print, each for itself: what the test runner prints meanwhile goes its way. */
const printing = new AsyncLocalStorage<{ out: string; err: string }>()
for (const [name, stream] of [
  ['out', process.stdout],
  ['err', process.stderr]
] as const) {
  const write = stream.write.bind(stream)
  stream.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    const into = printing.getStore()
    if (!into) return write(chunk, ...rest)
    into[name] += chunk
    return true
  }) as typeof stream.write
}

let turn: Promise<unknown> = Promise.resolve()

/**
 * Commands with that environment, in this process, one after another: loading them anew would be most of what they cost.
 * `begin` runs one as a process.
 */
export function commands(env: Env) {
  async function run(args: readonly string[]): Promise<Done> {
    const [before, into] = [process.env, { out: '', err: '' }]
    process.env = { ...childEnvironment(), ...env }
    try {
      const code = await printing.run(into, () => runProgram(args))
      return { code, ...into }
    } finally {
      process.env = before
      process.exitCode = undefined
    }
  }
  const call = (...args: string[]): Promise<Done> => {
    const mine = turn.then(() => run(args))
    turn = mine.catch(() => undefined)
    return mine
  }
  /** What it printed: it must have gone well, and have said nothing beside. */
  async function printed(...args: string[]): Promise<string> {
    const { code, out, err } = await call(...args)
    if (code !== 0 || err !== '') throw new Error(`${args.join(' ')}: ${code} ${err}`)
    return out
  }
  const json = async (...args: string[]) => JSON.parse(await printed(...args, '--json'))
  return { call, printed, json }
}

/** A platform as `npm start` starts it, and an end that leaves no database behind. */
export async function platform(t: Scope, env: Env) {
  const running = await serve(t, { HOST: '127.0.0.1', PORT: '0', ...env })
  async function stop() {
    running.kill('SIGTERM')
    await running.exited
  }
  t.teardown(stop)
  return { ...running, stop }
}

/** Calls the API with a key, as another user would. */
export const caller =
  (url: string, key: string) =>
  async (path: string, body?: object): Promise<{ status: number; data: Record<string, never> }> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(`${url}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) })
    })
    const { data } = (await reply.json()) as { data: Record<string, never> }
    return { status: reply.status, data }
  }
