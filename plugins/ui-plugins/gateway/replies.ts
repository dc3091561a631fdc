import type { Kernel } from 'agent-platform'
import { failureTypes, isDatabaseAway } from 'agent-platform'
import type { SandboxReply } from '../../sandbox/contract.ts'

/** What of a failure is meant for the caller: of anything else that was thrown nothing is. */
export function toldOf(error: unknown): { code: string; message: string; status: number } | undefined {
  const { kind, code, message } = Object(error) as { kind?: string; code?: string; message?: string }
  if (kind === undefined || !Object.hasOwn(failureTypes, kind) || kind === 'internal') {
    if (!isDatabaseAway(error)) return undefined
    return { code: 'database_unavailable', message: 'The database cannot be reached', status: 503 }
  }
  const { status, type } = failureTypes[kind as keyof typeof failureTypes]
  return { code: code ?? type, message: message ?? '', status }
}

/** For a function, which is told a code and a message, and of a fault of the platform only that there was one. */
export async function replyOf(work: Promise<unknown>, log: Kernel['log']): Promise<SandboxReply> {
  try {
    return { data: (await work) ?? null }
  } catch (error) {
    const told = toldOf(error)
    if (told) return { error: { code: told.code, message: told.message } }
    log.error({ err: error }, 'a call of an app failed')
    return { error: { code: 'api_error', message: 'Something went wrong on our side' } }
  }
}
