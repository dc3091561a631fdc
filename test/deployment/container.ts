import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { account } from './image.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A program as it is started, without anything of this process. */
export interface Start {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const launch = ({ command: [program = '', ...args], cwd, env }: Start): ChildProcess =>
  spawn(program, args, { cwd, env, ...account, stdio: ['ignore', 'pipe', 'pipe'] })

/** Runs it to its end. */
export async function runOnce(
  start: Start
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = launch(start)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}

/** A platform that runs as it was deployed, once it says where it listens. */
export async function serve(t: Scope, start: Start) {
  const child = launch(start)
  const exited = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let written = ''
  const port = Promise.withResolvers<string>()
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  child.stderr?.on('data', (chunk) => {
    written += chunk
  })
  createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
    written += `${line}\n`
    const said = line.startsWith('{') ? JSON.parse(line) : {}
    if (said.msg === 'listening') port.resolve(new URL(said.url).port)
    if (said.msg === 'ready') ready.resolve()
  })
  void exited.then(([code]) => {
    for (const { reject } of [port, ready]) reject(new Error(`It ended with ${code}: ${written}`))
  })
  const found = await port.promise
  return {
    port: found,
    url: `http://127.0.0.1:${found}`,
    ready: ready.promise,
    output: () => written,
    /** Asks it to leave; resolves with its exit code and signal. */
    async stop() {
      child.kill('SIGTERM')
      return exited
    }
  }
}
