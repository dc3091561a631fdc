import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Kept } from './schemas.ts'
import { denials } from './schemas.ts'

type Seen = Parameters<Parameters<Kernel['packs']['observe']>[0]>[0]
type Row = Kept & { readonly project: string }

/** Of one caller in a minute; the rest of a flood tells nothing new. */
const MOST = 60
const MINUTE_MS = 60_000
/** Those that wait to be written, on each instance. */
const WAITING = 1_000
const SCOPES = 50
const CHARACTERS = 1_000

/** Writes down what is answered with 403: some at a time, after the reply. What an instance had not written yet is lost with it. */
export function createRecorder({ knex, packs, log }: Pick<Kernel, 'knex' | 'packs' | 'log'>) {
  const counts = new Map<string, number>()
  let minute = 0
  let waiting: Row[] = []
  let writing: Promise<void> | undefined
  let hearing: Disposable | undefined

  function isTooMany(caller: string): boolean {
    const now = Math.floor(Date.now() / MINUTE_MS)
    if (now !== minute) counts.clear()
    minute = now
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    return count > MOST
  }

  function hear(seen: Seen): void {
    const row = rowOf(seen)
    if (!row || waiting.length >= WAITING || isTooMany(`${seen.by?.project}/${seen.by?.id}`)) return
    waiting.push(row)
    writing ??= write()
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting
      waiting = []
      await insert(rows).catch((err) => log.warn({ err, count: rows.length }, 'denials were not recorded'))
    }
    writing = undefined
  }

  const insert = (rows: readonly Row[]) =>
    knex(denials.name).insert(
      rows.map(({ caller, resource, ...row }) => ({
        ...row,
        caller: JSON.stringify(caller),
        resource: JSON.stringify(resource)
      }))
    )

  return {
    begin(): void {
      hearing ??= packs.observe(hear)
    },
    async end(): Promise<void> {
      hearing?.[Symbol.dispose]()
      await writing
    }
  }
}

/** As it concerns the owner of what was refused, who learns nothing of callers of other projects. */
function rowOf({ requestId, method, route, by, refusal }: Seen): Row | undefined {
  if (!by || !refusal) return undefined
  const { message, code = null, param = null, refused } = refusal
  const { project, owner } = refused ?? by
  const { id, type, initiator = null, narrowed } = by
  const scopes = narrowed ? [...by.scopes].slice(0, SCOPES) : null
  return {
    ...{ id: newId('denial'), project, owner, requestId, method, route: route ?? null, code, param },
    message: message.slice(0, CHARACTERS),
    caller: by.project === project ? { id, type, initiator, scopes } : null,
    resource: refused ? { what: refused.what, id: refused.id ?? null } : null,
    createdAt: new Date().toISOString()
  }
}
