import type { Kernel, Principal } from 'agent-platform'
import { conflict, exhausted, notFound, unlessAborted } from 'agent-platform'
import type { FunctionOrder, Installation } from '../contract.ts'
import type { FunctionCalls } from '../functions/function-calls.ts'
import type { AppLog, NewLine } from '../logs/app-log.ts'
import type { Meter } from '../logs/meter.ts'
import { sumOf, usageOf } from '../logs/meter.ts'
import type { Installations } from '../services/installations.ts'
import type { UiPluginSettings } from '../settings.ts'
import type { Amounts } from '../stores/usage.ts'
import { noAmounts } from '../stores/usage.ts'
import type { Asking } from './asking.ts'
import type { CapabilityCalls } from './capability-calls.ts'
import { readFunctionCall } from './function-parameters.ts'
import { createInFlight } from './in-flight.ts'
import type { MethodCalls } from './method-calls.ts'
import { replyOf, toldOf } from './replies.ts'

export type Gateway = ReturnType<typeof createGateway>

interface Deps extends Pick<Kernel, 'limits' | 'log'> {
  settings: UiPluginSettings
  installations: Installations
  capabilityCalls: CapabilityCalls
  methodCalls: MethodCalls
  functionCalls: FunctionCalls
  appLog: AppLog
  meter: Meter
}

const FUNCTION = 'functions.call'

/** What was asked for, and the function that asked, or that was to be called. */
interface Called {
  readonly method: string
  readonly fn: string | undefined
}

/** Everything that apps ask of the platform, from pages and from functions, goes this way. */
export function createGateway(deps: Deps) {
  const { limits, log, settings, installations, capabilityCalls, methodCalls, functionCalls } = deps
  const { appLog, meter } = deps
  const inFlight = createInFlight(settings.appInFlight, settings.callerInFlight)

  /**
   * Does what the app asks for, on behalf of the caller. 404 for a method that there is not, 403 `capability_not_granted`, `narrowed`
   * or `scope_missing`, 429 over a limit, 400 with a pointer below `/params`; else as the capability, the function or the host says.
   */
  async function ask(asking: Asking, method: string, params: unknown): Promise<unknown> {
    const { by, pluginId, within, signal } = asking
    // Anew each time: what was taken away is taken away also in the middle of a function.
    const app = await installations.of(by, pluginId)
    if (within && within.appId !== app.id)
      throw conflict('The app is not enabled', { code: 'app_not_enabled' })
    const work = () => unlessAborted(signal, dispatch(app, asking, method, params))
    return limited(app, asking, { method, fn: within?.fn ?? calledBy(method, params) }, work)
  }

  /** Does that within the limits; what is refused and what fails is in the app's log. */
  async function limited<T>(app: Installation, asking: Asking, called: Called, work: () => Promise<T>) {
    const caller = `${app.id}/${asking.by.id}`
    try {
      await limits.count('app', app.id, settings.appCallsPerMinute)
      await limits.count('caller', caller, settings.callerCallsPerMinute)
      await meter.admit(app)
      using _ = inFlight.enter(app.id, caller)
      meter.add(app, asking, { calls: 1 })
      return await work()
    } catch (error) {
      if (!asking.signal.aborted) appLog.write(app, lineOf(error, asking, called))
      throw error
    }
  }

  function dispatch(app: Installation, asking: Asking, method: string, params: unknown): Promise<unknown> {
    if (method === FUNCTION) {
      const { name, input } = readFunctionCall(params)
      return run(app, asking, name, input, '/params/input')
    }
    const known = methodCalls.find(method)
    if (known) return known(app, asking, method, params)
    return capabilityCalls.call(app, asking, method, params)
  }

  async function run(
    app: Installation,
    asking: Asking,
    name: string,
    input: unknown,
    param: string
  ): Promise<unknown> {
    const { by, signal, depth, agentId, runId, locale, used } = asking
    if (depth > settings.maxDepth)
      throw exhausted(`More than ${settings.maxDepth} apps and agents lie above it`, { code: 'too_deep' })
    const declared = app.manifest.functions.find((it) => it.name === name)
    if (!declared) throw notFound('Function', { param: param.replace(/input$/, 'name') })
    const within = { appId: app.id, fn: name }
    const host = async (method: string, params: unknown, signal: AbortSignal) =>
      replyOf(ask({ ...asking, signal, depth: depth + 1, within }, method, params), log)
    const about = { callerId: by.id, ...definedOf({ agentId, runId, locale }) }
    return functionCalls.call(app, { by, declared, input, param, about, host, signal, used })
  }

  /** Of tools and steps of workflows: `input` is looked at by the function's schema, 400 at `/input` where it does not fit. */
  async function callFunction(
    by: Principal,
    pluginId: string,
    name: string,
    input: unknown,
    { signal = new AbortController().signal, depth = 0, used, ...order }: FunctionOrder = {}
  ): Promise<unknown> {
    const app = await installations.of(by, pluginId)
    let amounts = noAmounts
    const count = (more: Partial<Amounts>) => {
      amounts = sumOf(amounts, more)
    }
    const asking = { by, pluginId, signal, depth, used: count, ...order }
    const called = { method: FUNCTION, fn: name }
    try {
      return await limited(app, asking, called, () => run(app, asking, name, input, '/input'))
    } finally {
      used?.(usageOf(amounts))
    }
  }

  return { ask, callFunction }
}

/** What the log of the app tells of what went wrong: no more than the app is told. */
function lineOf(error: unknown, { by }: Asking, { method, fn }: Called): NewLine {
  const { status, code, message } = toldOf(error) ?? {
    status: 500,
    code: 'api_error',
    message: 'Something went wrong on our side'
  }
  const isRefusal = status < 500
  return {
    level: isRefusal ? 'warn' : 'error',
    kind: isRefusal ? 'refusal' : 'fault',
    source: fn === undefined ? 'page' : 'function',
    callerId: by.id,
    function: fn?.slice(0, 100) ?? null,
    method: method.slice(0, 120),
    code,
    text: message
  }
}

function calledBy(method: string, params: unknown): string | undefined {
  const { name } = Object(params) as { name?: unknown }
  return method === FUNCTION && typeof name === 'string' ? name : undefined
}

const definedOf = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
