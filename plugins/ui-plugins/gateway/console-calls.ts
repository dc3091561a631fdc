import { compileSchema, invalid, notFound } from 'agent-platform'
import { Type } from 'typebox'
import type { Installation } from '../contract.ts'
import type { AppLog } from '../logs/app-log.ts'
import type { Asking } from './asking.ts'

const check = compileSchema(
  Type.Object({ text: Type.String({ maxLength: 4_096 }) }, { additionalProperties: false })
)
const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

/** `console.log` and the like of a page: a line of the app's log. */
export function writeConsole(
  appLog: AppLog,
  app: Installation,
  { by, within }: Asking,
  method: string,
  params: unknown
): null {
  const name = method.slice('console.'.length)
  if (!Object.hasOwn(levels, name)) throw notFound(`Method ${method.slice(0, 100)}`, { param: '/method' })
  const fault = check(params)
  if (fault) throw invalid(`/params${fault.at}`, `/params${fault.at} ${fault.text}`)
  const { text } = params as { text: string }
  const level = levels[name as keyof typeof levels]
  const source = within ? 'function' : 'page'
  appLog.write(app, { level, kind: 'console', source, callerId: by.id, function: within?.fn ?? null, text })
  return null
}
