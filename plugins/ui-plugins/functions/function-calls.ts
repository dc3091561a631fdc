import type { Principal } from 'agent-platform'
import { examineValue, invalid, unavailable, upstreamFailed } from 'agent-platform'
import type { Manifest } from 'agent-platform-app/manifest'
import type { Sandbox, SandboxCall } from '../../sandbox/contract.ts'
import type { Installation } from '../contract.ts'
import type { Asking } from '../gateway/asking.ts'
import type { AppLog } from '../logs/app-log.ts'
import type { Meter } from '../logs/meter.ts'
import { failureOf } from './failures.ts'
import type { Programs } from './programs.ts'
import { culpritOf } from './programs.ts'

export type FunctionCalls = ReturnType<typeof createFunctionCalls>

export interface FunctionCall extends Required<Pick<SandboxCall, 'host' | 'about' | 'signal'>> {
  readonly by: Principal
  readonly declared: Manifest['functions'][number]
  readonly input: unknown
  readonly used?: Asking['used']
  /** Where the input stood. */
  readonly param: string
}

interface Deps {
  sandbox: Sandbox | undefined
  programs: Programs
  appLog: AppLog
  meter: Meter
}

/** Calls of functions of apps, in the sandbox. Their schemas are of strangers. */
export function createFunctionCalls({ sandbox, programs, appLog, meter }: Deps) {
  async function call(
    app: Installation,
    { by, declared, input, param, used, ...order }: FunctionCall
  ): Promise<unknown> {
    if (!sandbox)
      throw unavailable('Functions of apps cannot be called while the pack sandbox is off', {
        code: 'capability_missing'
      })
    const { name: fn, input: schema, output } = declared
    const fault = await examineValue(by, schema, input, order.signal)
    if (fault) throw invalid(`${param}${fault.at}`, `${param}${fault.at} ${fault.text}`)
    const log: SandboxCall['log'] = (level, text) =>
      appLog.write(app, { level, kind: 'console', source: 'function', callerId: by.id, function: fn, text })
    const answer = await sandbox.call({ program: programs.of(app), by, fn, input, log, ...order })
    const { cpuMs, sizeIn, sizeOut } = answer.usage
    meter.add(app, { by, used }, { functionCalls: 1, cpuMs, characters: sizeIn + sizeOut })
    order.signal.throwIfAborted()
    if ('error' in answer) throw failureOf(fn, answer.error, sandbox.health(culpritOf(app)))
    const data = answer.data ?? null
    const wrong = output && (await examineValue(by, output, data, order.signal))
    if (wrong)
      throw upstreamFailed(`What ${fn} gives is not what its schema says: ${wrong.at} ${wrong.text}`, {
        code: 'invalid_output',
        cause: null
      })
    return data
  }

  return { call }
}
