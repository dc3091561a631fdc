import { hash } from 'node:crypto'
import { canonicalJson } from 'agent-platform'

/** Something that was administered. */
export interface Act {
  /** Null for what is the platform's. */
  readonly project: string | null
  readonly owner: string
  readonly type: string
  readonly actor: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
  /** ISO 8601, to the millisecond. */
  readonly at: string
}
export interface Entry extends Act {
  readonly seq: number
  readonly previous: string
  readonly hash: string
}

/** What stands before the first entry. */
export const GENESIS = '0'.repeat(64)

/** An act as the next entry: SHA-256 of its canonical JSON (RFC 8785), which holds the hash of the one before. */
export function entryOf(
  { project, owner, type, actor, subject, details, at }: Act,
  seq: number,
  previous: string
): Entry {
  const entry = { seq, project, owner, type, actor, subject, details, at, previous }
  return { ...entry, hash: hash('sha256', canonicalJson(entry)) }
}
