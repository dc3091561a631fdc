import { catalogue } from '../catalogue/catalogue.ts'
import type { Capabilities } from '../context/capabilities.ts'
import type { About, Console } from '../context/context.ts'
import type { AppDefinition } from '../definition/define-app.ts'
import { AppError } from '../errors.ts'
import type { Grants } from '../grants/grants.ts'
import { permits, permitsHost } from '../grants/grants.ts'
import { isHostWithin } from '../manifest/hosts.ts'
import { faultOf, refuseUnfit } from './schemas.ts'

type Answer<P, R> = (params: P, caller: About) => R | Promise<R>

/** What the platform of a test says, by capability. Other names than those of the catalogue are capabilities of packs of your own. */
export type PlatformAnswers = {
  readonly [N in keyof Capabilities]?: Answer<Capabilities[N]['params'], Capabilities[N]['result']>
} & { readonly [name: string]: Answer<never, unknown> | undefined }

/** What hosts outside say. `connection` is the one whose key the platform would have added. */
export type FetchAnswer = (request: Request, connection: string | undefined) => Response | Promise<Response>

/** A mistake of the test, and not of the app. */
export class TestError extends Error {
  override readonly name = 'TestError'
}

/** A capability, within the grants and by its parameters, as the platform's gateway has it. */
export async function askCapability(
  { manifest }: AppDefinition,
  grants: Grants,
  answers: PlatformAnswers,
  method: string,
  params: unknown,
  caller: About
): Promise<unknown> {
  const entry = Object.hasOwn(catalogue, method) ? catalogue[method] : undefined
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
  if (!entry && !answer && !manifest.capabilities.some(({ name }) => name === method))
    throw new AppError('not_found', `Method ${method} not found`)
  const permit = permits(grants, { name: method, ...entry }, params)
  if (!permit.permitted) throw new AppError(permit.code, permit.message)
  if (entry) refuseUnfit(entry.params, params, '/params')
  if (!answer)
    throw new TestError(`The test asks for ${method}: give testApp an answer, platform['${method}']`)
  const data = await answer(params as never, caller)
  const fault = entry?.result && faultOf(entry.result, data)
  if (fault) throw new TestError(`The platform never gives such an answer to ${method}: ${fault}`)
  return data
}

/** `fetch` by https to hosts that are declared and granted, with keys to their own hosts alone. */
export async function askHost(
  { manifest }: AppDefinition,
  grants: Grants,
  answer: FetchAnswer | undefined,
  request: Request,
  connection: string | undefined
): Promise<Response> {
  const { protocol, hostname, port, username } = new URL(request.url)
  if (protocol !== 'https:' || username !== '')
    throw new AppError('invalid_request_error', 'Apps talk to hosts by https, and name no user')
  const number = Number(port || 443)
  const host = `${hostname}:${number}`
  const isDeclared = manifest.egress.some((it) => isHostWithin(host, it.host))
  if (!isDeclared || !permitsHost(grants, hostname, number))
    throw new AppError('host_not_granted', `${hostname} was not granted to this app`)
  if (connection !== undefined) {
    const found = manifest.connections.find(({ key }) => key === connection)
    if (!found?.hosts.some((it) => isHostWithin(host, it)))
      throw new AppError('connection_not_declared', `No connection ${connection} goes to ${hostname}`)
  }
  if (!answer) throw new TestError(`The test asks ${request.url}: give testApp an answer, fetch`)
  return answer(request, connection)
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly text: string
}

/** Writes lines as the platform's log has them, as many as a call may write. */
export function consoleOf(write: (line: LogLine) => void, most: number): Console {
  let lines = 0
  const at =
    (level: LogLine['level']) =>
    (...values: readonly unknown[]) => {
      const text = values.map((it) => (typeof it === 'string' ? it : JSON.stringify(it))).join(' ')
      if (++lines <= most) write({ level, text: text.slice(0, 4_096) })
    }
  return { debug: at('debug'), log: at('info'), info: at('info'), warn: at('warn'), error: at('error') }
}
