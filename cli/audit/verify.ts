import { hash } from 'node:crypto'
import { canonicalJson } from '../../kernel/contract/json.ts'

/** An entry of the audit log, as `GET /v1/audit` answers. */
export interface AuditEntry {
  readonly seq: number
  readonly previous: string
  readonly hash: string
  readonly [field: string]: unknown
}

const FIRST = '0'.repeat(64)

/** What is wrong with a chain, entry by entry, the first one first; nothing where it is whole. */
export function chainFaults(entries: readonly AuditEntry[]): readonly string[] {
  const faults: string[] = []
  let previous = FIRST
  let seq = 0
  for (const entry of entries) {
    const { hash: told, ...rest } = entry
    if (entry.seq !== ++seq) faults.push(`entry ${seq} is missing`)
    seq = entry.seq
    if (entry.previous !== previous) faults.push(`entry ${seq} does not follow from the one before`)
    if (hash('sha256', canonicalJson(rest)) !== told) faults.push(`entry ${seq} is not what was logged`)
    previous = told
  }
  return faults
}
