import type { Client } from '../client.ts'

export interface Scope {
  teardown(work: () => unknown): unknown
}

/** Where runs can be begun and followed: one instance, as one principal. */
export interface Place {
  readonly url: string
  readonly client: Client
}
