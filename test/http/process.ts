import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root } from '../../kernel/deployment.ts'
import { preparedDataDir } from '../data-dir.ts'
import type { Connection } from '../database.ts'
import { childEnvironment } from '../shared-folder.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** The platform as a process of its own. */
export interface Process {
  /** Everything that it wrote. */
  output(): string
  /** Lines of its log, as objects. */
  readonly lines: readonly Record<string, unknown>[]
  /** The first line with that message, which may still be to come; rejects when the process ends before. */
  line(message: string): Promise<Record<string, unknown>>
  /** What matches in all that it wrote, which may still be to come. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
  readonly exited: Promise<number | null>
}

export async function run(
  t: Scope,
  env: Readonly<Record<string, string>>,
  { options = [], uid }: { options?: readonly string[]; uid?: number } = {}
): Promise<Process> {
  const args = [...options, '--import', './kernel/packs/loader/modules.ts', 'process/main.ts']
  const DATA_DIR = env.DATA_DIR ?? (await preparedDataDir(t, { database: !env.DATABASE_URL }))
  const whole = { ...childEnvironment(), PORT: '0', DATA_DIR, ...env }
  // What the test runner adds to the environment writes where another user may not.
  const clean = ['-i', ...Object.entries(whole).map(([name, value]) => `${name}=${value}`), process.execPath]
  const child =
    uid === undefined
      ? spawn(process.execPath, args, { cwd: root, env: whole })
      : spawn('env', [...clean, ...args], { cwd: root, uid, gid: uid })
  const lines: Record<string, unknown>[] = []
  const listeners = new Set<() => void>()
  let written = ''
  child.stderr.on('data', (chunk) => {
    written += chunk
  })
  createInterface(child.stdout).on('line', (line) => {
    written += `${line}\n`
    if (line.startsWith('{')) lines.push(JSON.parse(line))
    for (const hear of listeners) hear()
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })

  const line = (message: string) => until(() => lines.find(({ msg }) => msg === message))
  const said = (pattern: RegExp) => until(() => pattern.exec(written) ?? undefined)

  async function until<T>(look: () => T | undefined): Promise<T> {
    const ended = exited.then((code) => Promise.reject(new Error(`It ended with ${code}: ${written}`)))
    for (;;) {
      const found = look()
      if (found) {
        ended.catch(() => undefined)
        return found
      }
      const next = Promise.withResolvers<void>()
      listeners.add(next.resolve)
      await Promise.race([next.promise, ended]).finally(() => listeners.delete(next.resolve))
    }
  }
  return { output: () => written, lines, line, said, kill: (signal) => void child.kill(signal), exited }
}

/** A platform that is ready, and where it listens. */
export async function serve(t: Scope, env: Readonly<Record<string, string>>) {
  const process_ = await run(t, env)
  await process_.line('ready')
  return { ...process_, url: await urlOf(process_) }
}

/** PORT 0 lets the system choose: the log says which one it was. */
export async function urlOf({ line }: Process): Promise<string> {
  return String((await line('listening')).url)
}

export function databaseUrl({ host = '', port = 5432, user = '', database = '' }: Connection): string {
  const place = host.startsWith('/') ? `localhost:${port}` : `${host}:${port}`
  const socket = host.startsWith('/') ? `?host=${encodeURIComponent(host)}` : ''
  return `postgres://${encodeURIComponent(String(user))}@${place}/${database}${socket}`
}
