import { failed } from './errors.ts'

/** The versions of the protocol that are spoken: 0.2 has the `tasks/send` of the first days. */
export type Dialect = '0.2' | '0.3' | '1.0'

export type Operation =
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'subscribe'
  | 'setPush'
  | 'getPush'
  | 'listPush'
  | 'deletePush'
  | 'card'

/** By method: what it does, and whose words it is in; null where two versions share it. */
const methods: Readonly<Record<string, readonly [Operation, Dialect | null]>> = {
  'tasks/send': ['send', '0.2'],
  'tasks/sendSubscribe': ['stream', '0.2'],
  'tasks/get': ['get', null],
  'tasks/cancel': ['cancel', null],
  'tasks/resubscribe': ['subscribe', null],
  'tasks/pushNotification/set': ['setPush', '0.2'],
  'tasks/pushNotification/get': ['getPush', '0.2'],
  'tasks/pushNotificationConfig/set': ['setPush', null],
  'tasks/pushNotificationConfig/get': ['getPush', null],
  'tasks/pushNotificationConfig/list': ['listPush', '0.3'],
  'tasks/pushNotificationConfig/delete': ['deletePush', '0.3'],
  'message/send': ['send', '0.3'],
  'message/stream': ['stream', '0.3'],
  'agent/getAuthenticatedExtendedCard': ['card', '0.3'],
  SendMessage: ['send', '1.0'],
  SendStreamingMessage: ['stream', '1.0'],
  GetTask: ['get', '1.0'],
  ListTasks: ['list', '1.0'],
  CancelTask: ['cancel', '1.0'],
  SubscribeToTask: ['subscribe', '1.0'],
  CreateTaskPushNotificationConfig: ['setPush', '1.0'],
  GetTaskPushNotificationConfig: ['getPush', '1.0'],
  ListTaskPushNotificationConfigs: ['listPush', '1.0'],
  DeleteTaskPushNotificationConfig: ['deletePush', '1.0'],
  GetExtendedAgentCard: ['card', '1.0']
}

export interface Method {
  readonly operation: Operation
  /** Undefined where neither the method nor the header says it: then it is that in which the task was given. */
  readonly dialect: Dialect | undefined
}

/** -32601 for a method that no version has, -32009 for a version that is not spoken. */
export function methodOf(name: string, version: string | undefined): Method {
  const asked = version?.trim() ? dialectOf(version.trim()) : undefined
  const known = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!known) throw failed('METHOD_NOT_FOUND', 'There is no such method')
  return { operation: known[0], dialect: known[1] ?? asked }
}

function dialectOf(version: string): Dialect {
  const [, spoken] = /^(0\.2|0\.3|1\.0)(?:\.\d+)?$/.exec(version) ?? []
  if (spoken) return spoken as Dialect
  throw failed('VERSION_NOT_SUPPORTED', 'The versions 0.2, 0.3 and 1.0 are spoken')
}
