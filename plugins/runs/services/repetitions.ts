import { hash } from 'node:crypto'
import type { Principal } from 'agent-platform'
import { conflict, invalid } from 'agent-platform'
import type { RunRequest } from '../schemas/runs.ts'
import type { RunStore } from '../stores/runs.ts'

export type Repetitions = ReturnType<typeof createRepetitions>

/** What tells a request that came before, and one with the same key that says something else. */
export interface Repetition {
  readonly key: string
  readonly digest: string
}

const KEY = /^[\x21-\x7e]{1,255}$/

/** Requests with an `Idempotency-Key`: a repeated one is answered with the run of the first. */
export function createRepetitions({ runStore }: { runStore: RunStore }) {
  /** The id of the run that it made, if it came before; 409 when that said something else. */
  async function find(project: string, { key, digest }: Repetition): Promise<string | undefined> {
    const found = await runStore.findRepeated(project, key)
    if (found && found.digest !== digest)
      throw conflict('The Idempotency-Key was used with another body', { code: 'idempotency_key_reused' })
    return found?.id
  }

  /** A run is the same however it is asked for: both routes that begin runs share their keys. */
  function of({ id, owner }: Principal, request: RunRequest, key: string): Repetition {
    if (!KEY.test(key))
      throw invalid('idempotency-key', 'Idempotency-Key must be 1 to 255 visible ASCII characters')
    return {
      key: hash('sha256', JSON.stringify([id, owner, key]), 'base64url'),
      digest: hash('sha256', JSON.stringify(request, sorted), 'base64url')
    }
  }

  return { of, find }
}

/** Clients that build a body anew for each try may order its members differently. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
