import type { Principal } from 'agent-platform'
import { conflict, digestOf, invalid } from 'agent-platform'
import type { Begun } from '../contract.ts'
import type { Repetition, Requested } from '../stores/starts.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

/** By which an order is recognised when it is given again. */
export function repetitionOf(by: Principal, key: string, workflowId: string, input: unknown): Repetition {
  if (!KEY.test(key)) throw invalid('/key', 'key must be 1 to 255 visible ASCII characters')
  return {
    key: digestOf([by.id, by.owner, key, ...(by.attenuation ? [by.attenuation.id] : [])]),
    digest: digestOf({ workflowId, input: input ?? null })
  }
}

/** What was begun under the same key; 409 where that was another order. */
export function repeated(
  found: Requested | undefined,
  { digest }: Repetition,
  workflowId: string
): Begun | undefined {
  if (found && found.digest !== digest)
    throw conflict('The key was used with another input', { code: 'idempotency_key_reused' })
  return found && { id: found.id, workflowId }
}
