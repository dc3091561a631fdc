import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { OFFLINE } from './network.ts'

/** A thread or process that takes messages; one of a lane answers each with one, in their order. */
export interface RunningWorker {
  /** Of a process that was started. */
  readonly pid?: number | undefined
  post(question: unknown): void
  /** While it has questions it keeps this process from its end, else not. */
  hold(isAsked: boolean): void
  end(): void
}

interface Hearing {
  answer(it: unknown): void
  /** Once, however it ended. `isStarted`: it could be asked. */
  gone(isStarted: boolean): void
}

/** Starts one. */
export type StartWorker = (hearing: Hearing) => RunningWorker

/** Resolves `agent-platform`, and npm packages for files of packs. */
const modules = new URL('../../packs/loader/modules.ts', import.meta.url)
const installation = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** A thread, whose heap is capped. What is not on V8's heap is not: memory of WebAssembly and of native code. */
export const threadOf =
  (file: URL, { memoryMb }: { memoryMb: number }): StartWorker =>
  (hearing) => {
    const thread = new Worker(file, {
      execArgv: ['--import', modules.href],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 }
    })
    thread.unref()
    thread.on('message', hearing.answer)
    // Out of memory, as a rule.
    thread.on('error', () => undefined)
    thread.on('exit', () => hearing.gone(true))
    return {
      post: (question) => thread.postMessage(question),
      hold: (isAsked) => (isAsked ? thread.ref() : thread.unref()),
      end: () => void thread.terminate()
    }
  }

export interface ProcessCaps {
  /** Of all that it can write to, memory of native code and of WebAssembly included; at least 640, which Node reserves.
   *  Default: no limit, for what reserves more than it uses, as isolates do. */
  readonly memoryMb?: number
  /** Of V8's heap. */
  readonly heapMb: number
  /** Seconds of the processor in its whole life: the last resort where the process that started it is gone. Default: no end. */
  readonly cpuSeconds?: number
  /** Folders that its code lies in, beside this installation's. */
  readonly code: readonly string[]
  /** More flags of Node. */
  readonly flags?: readonly string[]
}

const LIMITED = `for limit in "c 0" "d $1" "t $2"; do (ulimit -$limit) 2>/dev/null && ulimit -$limit; done; shift 2; ${OFFLINE}; exec "$@"`

/**
 * A process, for what decodes with native code: a decoder that is led astray takes no more with it than this process, which
 * has no environment, may read nothing but code by Node's permission model, and write nowhere. It has no network where the
 * system allows (`isOffline` tells); its memory and the time of the processor are capped by the system's own limits, where
 * there is a POSIX shell. The file sends `ready` first.
 */
export const processOf =
  (file: URL, { memoryMb, heapMb, cpuSeconds, code, flags = [] }: ProcessCaps): StartWorker =>
  (hearing) => {
    const readable = [...['kernel', 'node_modules', 'package.json'].map(installation), ...code]
    const node = [
      process.execPath,
      '--permission',
      '--allow-addons',
      ...readable.flatMap((path) => [path, real(path)]).map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${heapMb}`,
      '--v8-pool-size=1',
      '--no-warnings',
      ...flags,
      `--import=${modules.href}`,
      fileURLToPath(file)
    ]
    const limits = [memoryMb === undefined ? 'unlimited' : memoryMb * 1_024, cpuSeconds ?? 'unlimited'].map(
      String
    )
    const [command = '', ...given] =
      process.platform === 'win32' ? node : ['/bin/sh', '-c', LIMITED, 'sh', ...limits, ...node]
    const child = spawn(command, given, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Arenas of each thread would count for the limit of memory.
      env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' },
      cwd: installation('kernel')
    })
    let isStarted = false
    let isGone = false
    const gone = () => {
      if (isGone) return
      isGone = true
      hearing.gone(isStarted)
    }
    child.on('message', (message) => {
      if (isStarted) return hearing.answer(message)
      isStarted = true
    })
    child.on('error', gone)
    child.on('exit', gone)
    const hold = (isAsked: boolean) => {
      if (isAsked) child.ref()
      else child.unref()
      if (isAsked) child.channel?.ref()
      else child.channel?.unref()
    }
    hold(false)
    return {
      pid: child.pid,
      // What cannot be sent any more is told by `exit`.
      post: (question) => void child.send(question as object, () => undefined),
      hold,
      end: () => void child.kill('SIGKILL')
    }
  }

/** Where a path leads to, by which reading is let. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
