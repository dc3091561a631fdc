import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Scope } from './scope.ts'

/** A process that is measured, or that makes the load; it does what it is asked, one thing after another. */
export interface Side {
  ask<T>(question: string, argument?: unknown): Promise<T>
  stop(): Promise<void>
  /** `kill -9`. */
  kill(): Promise<void>
}

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** As `npm start` runs it. With the small young generation that Node begins with, helper threads collect all day. */
const AS_STARTED = ['--min-semi-space-size=16', '--max-semi-space-size=64']
/** More files than a process may usually open: a stream is one. */
const FILES = 65_536
const modules = fileURLToPath(new URL('../../kernel/packs/loader/modules.ts', import.meta.url))

/** Starts `sides/<name>.ts` as a process of its own, which goes with the scope. */
export async function startSide(scope: Scope, name: string, order: unknown = {}): Promise<Side> {
  const file = fileURLToPath(new URL(`sides/${name}.ts`, import.meta.url))
  const flags = ['--expose-gc', ...AS_STARTED, ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? [])]
  const command = `ulimit -n ${FILES} 2>/dev/null || ulimit -n "$(ulimit -H -n)"; exec "$0" "$@"`
  const child = spawn('sh', ['-c', command, process.execPath, ...flags, '--import', modules, file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const gone = once(child, 'exit')
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  child.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  child.once('exit', (code, signal) => {
    for (const [id, settle] of waiting) settle({ id, error: `${name} ended (${signal ?? code})` })
    waiting.clear()
  })
  const side: Side = {
    async ask<T>(question: string, argument?: unknown) {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      const id = ++asked
      if (!child.connected) throw new Error(`${name} has ended`)
      waiting.set(id, resolve)
      child.send({ id, question, argument })
      const { value, error } = await promise
      if (error !== undefined) throw new Error(`${name} ${question}: ${error}`)
      return value as T
    },
    async stop() {
      if (child.connected) child.disconnect()
      await gone
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    }
  }
  scope.teardown(side.stop)
  await side.ask('start', order)
  return side
}
