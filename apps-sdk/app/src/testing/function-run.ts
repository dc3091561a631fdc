import type { About, Context } from '../context/context.ts'
import { tree } from '../context/tree.ts'
import type { AppDefinition } from '../definition/define-app.ts'
import { AppError } from '../errors.ts'
import { jsonOf } from '../json.ts'
import type { Limits } from '../limits/limits.ts'
import { callLimits } from '../limits/limits.ts'
import type { LogLine } from './answers.ts'
import { consoleOf, TestError } from './answers.ts'
import { faultOf, refuseUnfit } from './schemas.ts'

export interface Run {
  readonly app: AppDefinition
  readonly limits: Limits
  readonly name: string
  readonly input: unknown
  readonly about: About
  ask(method: string, params: unknown): Promise<unknown>
  fetch(request: Request, connection: string | undefined): Promise<Response>
  write(line: LogLine): void
}

/** One call of a function, within its schemas and limits. Rejects with an `AppError`, as the platform would. */
export async function runFunction(run: Run): Promise<unknown> {
  const { app, limits, name } = run
  const declared = app.manifest.functions.find((it) => it.name === name)
  if (!declared) throw new AppError('not_found', `Function ${name} not found`)
  const input = jsonOf(run.input ?? {}, 'The input')
  refuseUnfit(declared.input, input, '/input')
  const work = app.functions[name]
  if (!work) throw new AppError('not_a_function', `${name}: the app exports no such function`)
  const ending = new AbortController()
  const refusals = new Set<string>()
  const before = process.cpuUsage()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new AppError('time_exceeded', `${name}: took longer than ${limits.wallMs} ms`)
    timer = setTimeout(() => reject(error), limits.wallMs)
  })
  try {
    const data = await Promise.race([
      settled(async () => work(input as never, contextOf(run, ending.signal, refusals) as never), refusals),
      late
    ])
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1_000 > limits.cpuMs)
      throw new AppError('cpu_exceeded', `${name}: took more than ${limits.cpuMs} ms of the processor`)
    const result = jsonOf(data, 'The result', 'app_error')
    const fault = declared.output && faultOf(declared.output, result)
    if (fault)
      throw new AppError('invalid_output', `What ${name} gives is not what its schema says: ${fault}`)
    return result
  } finally {
    clearTimeout(timer)
    ending.abort(new AppError('aborted', 'The call has ended'))
  }
}

/** What a function throws is `app_error` with its message, but for what the platform refused to it. */
async function settled(work: () => Promise<unknown>, refusals: ReadonlySet<string>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TestError) throw error
    const words = String((error as { message?: unknown })?.message ?? error).slice(0, 1_000)
    throw new AppError(refusals.has(wordsOf(error)) ? (error as AppError).code : 'app_error', words)
  }
}

const wordsOf = (error: unknown): string => {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  return JSON.stringify([code, message])
}

/** `refusals` gets what the platform refuses. */
function contextOf({ ask, fetch, write, about }: Run, signal: AbortSignal, refusals: Set<string>): Context {
  let waiting = 0
  /** Nothing is asked for after the call, and no more at a time than may be. */
  async function within<T>(work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    if (waiting >= callLimits.pending)
      throw new AppError('too_many_pending', `More than ${callLimits.pending} calls of the platform wait`)
    waiting++
    try {
      return await work()
    } catch (error) {
      if (error instanceof AppError) refusals.add(wordsOf(error))
      throw error
    } finally {
      waiting--
    }
  }
  const call = (method: string, params?: unknown) =>
    within(async () => jsonOf(await ask(method, jsonOf(params ?? {}, 'The parameters')), 'The answer'))
  return Object.freeze({
    platform: tree(call),
    storage: tree(call, 'storage'),
    call,
    fetch: (input, { connection, ...init } = {}) => within(() => fetch(new Request(input, init), connection)),
    console: consoleOf(write, callLimits.logLines),
    signal,
    about: Object.freeze({ ...about })
  } as Context)
}
