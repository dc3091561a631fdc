import type { Principal } from 'agent-platform'
import { conflict, digestOf, invalid } from 'agent-platform'
import type { RunStore } from '../stores/runs.ts'
import type { Asked } from './asked.ts'

export type Repetitions = ReturnType<typeof createRepetitions>

/** By which a request is recognised that came before, and one with the same key that says something else. */
export interface Repetition {
  readonly key: string
  readonly digest: string
  /** The run is that one also when it failed: else another one takes its place. */
  readonly failedToo: boolean
}

const KEY = /^[\x21-\x7e]{1,255}$/

/** Requests with an `Idempotency-Key`: a repeated one is answered with the run of the first. */
export function createRepetitions({ runStore }: { runStore: RunStore }) {
  /** The id of the run that it made, if it came before and did not fail; 409 when that said something else. */
  async function find(project: string, { key, digest, failedToo }: Repetition): Promise<string | undefined> {
    const found = await runStore.findRepeated(project, key)
    if (found && found.digest !== digest)
      throw conflict('The Idempotency-Key was used with another body', { code: 'idempotency_key_reused' })
    if (failedToo || found?.status !== 'failed') return found?.id
    // As replies of 5xx are not kept: who asks again wants to get through.
    await runStore.removeRequestKey(project, found.id)
    return undefined
  }

  /** A run is the same however it is asked for: both routes that begin runs share their keys. */
  function of(
    { id, owner, attenuation }: Principal,
    request: Asked,
    key: string,
    failedToo: boolean
  ): Repetition {
    if (!KEY.test(key))
      throw invalid('idempotency-key', 'Idempotency-Key must be 1 to 255 visible ASCII characters')
    return {
      key: digestOf([id, owner, key, ...(attenuation ? [attenuation.id] : [])]),
      // Clients that build a body anew for each try may order its members differently.
      digest: digestOf(request),
      failedToo
    }
  }

  return { of, find }
}
