import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../../kernel/deployment.ts'
import { serve } from '../gateway/process.ts'

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
  const { PATH = '' } = process.env
  const child = spawn(
    process.execPath,
    ['--import', './kernel/hosting/modules.ts', 'kernel/cli/main.ts', ...args],
    { cwd: root, env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }
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

/** Commands with that environment. */
export function commands(t: Scope, env: Env) {
  const call = (...args: string[]): Promise<Done> => begin(t, env, args).done
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

/** Calls the API with a key, as somebody else would. */
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
