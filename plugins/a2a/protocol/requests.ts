import { failed } from './errors.ts'
import type { Part } from './parts.ts'
import { partsOf } from './parts.ts'

export type Params = Readonly<Record<string, unknown>>

/** A message, with what its sender wants of the answer. */
export interface Order {
  readonly parts: readonly Part[]
  readonly messageId: string | undefined
  /** Of a task that goes on, or, in 0.2, the client's own name of a new one. */
  readonly taskId: string | undefined
  readonly contextId: string | undefined
  /** Whether the reply waits for the end of the task. */
  readonly isBlocking: boolean
  readonly historyLength: number | undefined
  /** Whether parts of JSON are read. */
  readonly takesJson: boolean
  /** Where it is told of. */
  readonly push: Params | undefined
}

const MOST = 255

/** A name that a client gives; -32602 for what is none. */
export function nameOf(value: unknown, at: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.length <= MOST && !/[\p{Cc}\p{Cs}]/u.test(value)) return value
  throw failed(
    'INVALID_PARAMS',
    `${at} must be a text of at most ${MOST} characters, without control characters`
  )
}

export function needed(value: unknown, at: string): string {
  const name = nameOf(value, at)
  if (name === undefined) throw failed('INVALID_PARAMS', `${at} is needed`)
  return name
}

export const objectOf = (value: unknown): Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : {}

export function historyLengthOf({ historyLength: length }: Params): number | undefined {
  if (length === undefined || length === null) return undefined
  if (Number.isInteger(length) && (length as number) >= 0) return length as number
  throw failed('INVALID_PARAMS', 'historyLength must be a whole number, 0 or more')
}

/** What `tasks/send` of 0.2 orders, and what `message/send` does since. */
export function orderOf(params: Params, isFirst: boolean): Order {
  const message = objectOf(params.message)
  const configuration = isFirst ? params : objectOf(params.configuration)
  const { acceptedOutputModes: modes, blocking, returnImmediately } = configuration
  if (!/^(?:user|ROLE_USER)$/.test(String(message.role ?? 'user')))
    throw failed('INVALID_PARAMS', 'message.role must be that of a user')
  const push =
    configuration.pushNotification ??
    configuration.pushNotificationConfig ??
    configuration.taskPushNotificationConfig
  return {
    parts: partsOf(message.parts),
    messageId: nameOf(message.messageId, 'message.messageId'),
    taskId: isFirst ? needed(params.id, 'id') : nameOf(message.taskId, 'message.taskId'),
    contextId: isFirst
      ? nameOf(params.sessionId, 'sessionId')
      : nameOf(message.contextId, 'message.contextId'),
    isBlocking: blocking !== false && returnImmediately !== true,
    historyLength: historyLengthOf(configuration),
    takesJson:
      !Array.isArray(modes) || modes.length === 0 || modes.some((mode) => /json|\*\/\*/.test(String(mode))),
    push: push === undefined || push === null ? undefined : objectOf(push)
  }
}
