import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { ERROR_OUTPUT, OUTPUT } from './frames.ts'
import { HOME } from './home.ts'
import type { Doing, ExecEnd, ExecOrder, Saying } from './orders.ts'
import { resize, underTerminal } from './terminal.ts'

/** Should memory run out, what was started goes before what listens to the platform. */
const EXPENDABLE = 'echo 500 >/proc/self/oom_score_adj; exec "$@"'
/** For what a program that has ended left in its pipes, which others that it started may hold open. */
const LEFT_MS = 50

/** Runs a program in a session of its own, so that a signal reaches all that it started and that did not leave that. */
export function execute(order: ExecOrder, saying: Saying): Doing {
  const { argv, cwd, env, terminal, pipes, most, rest } = order
  const command = terminal ? underTerminal(argv, terminal) : argv
  const child = spawn('/bin/sh', ['-c', EXPENDABLE, 'sh', ...command], {
    cwd: resolve(HOME, cwd),
    env: { ...process.env, ...env },
    detached: true,
    stdio: pipes
      ? ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']
      : ['pipe', 'pipe', 'pipe', ...(terminal ? (['pipe'] as const) : [])]
  })
  let device = ''
  if (terminal)
    (child.stdio[3] as Readable).on('data', (bytes) => {
      if (device.length < 100) device += bytes
    })
  const input = (pipes ? child.stdio[3] : child.stdin) as Writable
  const [stdout, stderr] = (pipes ? [child.stdio[4], null] : [child.stdout, child.stderr]) as [
    Readable,
    Readable | null
  ]
  const outputs = [
    pass(stdout, OUTPUT, saying, most, rest && `${rest}.stdout`),
    ...(stderr ? [pass(stderr, ERROR_OUTPUT, saying, most, rest && `${rest}.stderr`)] : [])
  ]
  input.on('error', () => undefined)
  let isOver = false
  const end = async (value: object) => {
    if (isOver) return
    isOver = true
    const all = Promise.all(outputs.map(({ ended }) => ended))
    await Promise.race([all, new Promise((done) => setTimeout(done, LEFT_MS))])
    for (const output of outputs) output.stop()
    const [out, error] = outputs
    saying.end({
      ...value,
      stdoutBytes: out?.size() ?? 0,
      stderrBytes: error?.size() ?? 0,
      ...(out?.file() && { stdoutFile: out.file() }),
      ...(error?.file() && { stderrFile: error.file() })
    })
  }
  child.on('error', (error: NodeJS.ErrnoException) => {
    saying.end({ fault: { code: error.code ?? 'failed', message: `${cwd}: ${error.message}` } })
    isOver = true
  })
  child.on('exit', (exitCode, signal) => void end({ exitCode, signal } satisfies Partial<ExecEnd>))
  return {
    input: (bytes) => void input.write(bytes),
    inputEnd: () => void input.end(),
    signal: (name) => send(child, name),
    flow(isFree) {
      for (const output of outputs) output.flow(isFree)
    },
    resize: (size) => resize(device.trim(), size)
  }
}

function send({ pid }: ChildProcess, name: string): void {
  try {
    if (pid !== undefined) process.kill(-pid, name as NodeJS.Signals)
  } catch {
    // It has ended, or there is no such signal.
  }
}

/** Sends an output as far as it may, waits while the platform does not take it, and writes the rest into a file. */
function pass(from: Readable, kind: number, saying: Saying, most: number, rest: string | undefined) {
  let size = 0
  let file: string | undefined
  let into: Writable | undefined
  let isHeld = false
  const goOn = () => {
    if (!isHeld) from.resume()
  }
  from.on('data', (bytes: Buffer) => {
    const room = Math.max(0, most - size)
    size += bytes.length
    if (room > 0 && !saying.send(kind, bytes.subarray(0, room))) {
      from.pause()
      saying.drained(goOn)
    }
    if (bytes.length <= room || rest === undefined) return
    if (!into) {
      file = rest
      into = open(resolve(HOME, rest))
    }
    if (!into.write(bytes.subarray(room)) && !into.errored) {
      from.pause()
      into.once('drain', goOn)
      into.once('error', goOn)
    }
  })
  const ended = new Promise<void>((done) => from.on('close', done))
  return {
    ended,
    size: () => size,
    file: () => file,
    flow(isFree: boolean) {
      isHeld = !isFree
      if (isFree) from.resume()
      else from.pause()
    },
    stop() {
      from.removeAllListeners('data')
      // Others may still write to it, and would be ended by a pipe that is closed.
      from.resume()
      into?.end()
    }
  }
}

function open(path: string): Writable {
  mkdirSync(dirname(path), { recursive: true })
  const into = createWriteStream(path)
  // The disk is full: what is more is lost.
  into.on('error', () => undefined)
  return into
}
