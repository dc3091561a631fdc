import type { About } from '../context/context.ts'
import { checkDefinition } from '../definition/check-definition.ts'
import type { AppDefinition } from '../definition/define-app.ts'
import { AppError } from '../errors.ts'
import type { Grants } from '../grants/grants.ts'
import { checkGrants, grantsOf } from '../grants/grants.ts'
import { jsonOf } from '../json.ts'
import type { Limits } from '../limits/limits.ts'
import { callLimits, defaultLimits, effectiveLimits } from '../limits/limits.ts'
import type { FetchAnswer, LogLine, PlatformAnswers } from './answers.ts'
import { askCapability, askHost } from './answers.ts'
import { runFunction } from './function-run.ts'
import { createMemoryStorage } from './storage/storage.ts'

export interface TestOptions {
  /** What the app was granted. Default: all that its manifest asks for. */
  readonly grants?: Grants
  /** What the platform answers, by capability: `{ 'agents.read': ({ agentId }) => ({ … }) }`. */
  readonly platform?: PlatformAnswers
  /** What hosts outside answer. */
  readonly fetch?: FetchAnswer
  /** What the deployment allows a call; the manifest may ask for less. */
  readonly limits?: Limits
}

/** An app under test, with storage of its own in memory. */
export interface TestedApp {
  readonly definition: AppDefinition
  /** What its functions wrote, in order. */
  readonly log: readonly LogLine[]
  /** What its functions and pages asked for, in order, refused or not. */
  readonly asked: readonly { readonly method: string; readonly params: unknown }[]
  /** Calls a function as a tool is called. Rejects with an `AppError`. */
  call(name: string, input?: unknown, about?: Partial<About>): Promise<unknown>
  /** Asks for a method as a page of the app does: `functions.call`, `storage.get`, `agents.read`. */
  ask(method: string, params?: unknown, about?: Partial<About>): Promise<unknown>
  /** From the next question on, also in the middle of a call. */
  grant(grants: Grants): void
}

/** Runs an app as the platform would: with the same checks, grants, limits and schemas. */
export function createTestedApp(definition: AppDefinition, options: TestOptions = {}): TestedApp {
  const { manifest } = definition
  refuse('The app', checkDefinition(definition))
  const { platform = {}, limits: most = defaultLimits } = options
  let grants = options.grants ?? grantsOf(manifest)
  refuse('grants', checkGrants(manifest, grants))
  const limits = effectiveLimits(manifest.limits, most)
  const storage = createMemoryStorage(manifest.storage)
  const log: LogLine[] = []
  const asked: { method: string; params: unknown }[] = []

  async function ask(method: string, params: unknown, about: About, depth: number): Promise<unknown> {
    asked.push({ method, params })
    if (method === 'functions.call') {
      const { name, input } = Object(params) as { name?: unknown; input?: unknown }
      return run(String(name), input, about, depth)
    }
    if (method.startsWith('storage.')) return storage(about.callerId, method, params)
    return askCapability(definition, grants, platform, method, params, about)
  }

  function run(name: string, input: unknown, about: About, depth: number): Promise<unknown> {
    if (depth > callLimits.calls)
      throw new AppError('too_deep', `More than ${callLimits.calls} apps and agents lie above it`)
    return runFunction({
      app: definition,
      limits,
      name,
      input,
      about,
      ask: (method, params) => ask(method, params, about, depth + 1),
      fetch(request, connection) {
        asked.push({ method: 'fetch', params: { url: request.url, method: request.method, connection } })
        return askHost(definition, grants, options.fetch, request, connection)
      },
      write: (line) => log.push(line)
    })
  }

  const aboutOf = (about: Partial<About> = {}): About => ({ callerId: 'user_test', ...about })
  return {
    definition,
    log,
    asked,
    call: async (name, input, about) => run(name, input, aboutOf(about), 0),
    ask: async (method, params, about) =>
      jsonOf(await ask(method, jsonOf(params ?? {}, 'The parameters'), aboutOf(about), 0), 'The answer'),
    grant(next) {
      refuse('grants', checkGrants(manifest, next))
      grants = next
    }
  }
}

function refuse(what: string, problems: readonly { pointer: string; message: string }[]): void {
  if (problems.length === 0) return
  const lines = problems.map(({ pointer, message }) => `${pointer || '/'} ${message}`)
  throw new TypeError(`${what} is not as it has to be: ${lines.join('; ')}`)
}
