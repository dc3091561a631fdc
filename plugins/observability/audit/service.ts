import type { Fact, Kernel, Paging, Trx } from 'agent-platform'
import type { AuditQuery, AuditStore, SourcedAct } from '../stores/audit.ts'

export type AuditService = ReturnType<typeof createAuditService>

interface Deps extends Pick<Kernel, 'packs' | 'transaction'> {
  auditStore: AuditStore
}

type Change = Awaited<ReturnType<Kernel['packs']['changes']>>['data'][number]

/** Who administered what. */
export function createAuditService({ packs, transaction, auditStore }: Deps) {
  /** In the transaction that handles the facts. */
  async function record(facts: readonly Fact[], trx: Trx): Promise<void> {
    await auditStore.insertAll(trx, facts.map(actOf))
  }

  /** Changes of packs that are not in the log: the platform keeps a record of its own of them. */
  async function work(): Promise<void> {
    const last = await auditStore.findLastChange()
    const found: Change[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await packs.changes({ limit: 100, ...(cursor !== undefined && { cursor }) })
      const fresh = page.data.filter(({ id }) => last === undefined || id > last)
      found.push(...fresh)
      if (fresh.length < page.data.length || page.nextCursor === null) break
      cursor = page.nextCursor
    }
    if (found.length > 0) await transaction((trx) => auditStore.insertAll(trx, found.reverse().map(changeOf)))
  }

  async function list(query: AuditQuery, page: Paging) {
    await work()
    return auditStore.list(query, page)
  }

  return { record, work, list }
}

function changeOf({
  id,
  at,
  actor,
  pack,
  action,
  outcome,
  reason,
  fromDigest,
  toDigest
}: Change): SourcedAct {
  return {
    source: id,
    project: null,
    owner: actor,
    type: `packs.${action}`,
    actor,
    subject: pack,
    details: { outcome, reason, fromDigest, toDigest },
    at: new Date(at).toISOString()
  }
}

const actOf = ({ id, project, owner, name, actor, subject, data, at }: Fact): SourcedAct => ({
  source: id,
  project,
  owner,
  type: name,
  actor,
  subject,
  details: plain(data),
  at: new Date(at).toISOString()
})

/** As it is in JSON, without what is not set. */
function plain(data: unknown): Record<string, unknown> {
  const copy = JSON.parse(JSON.stringify(data ?? {}))
  return copy !== null && typeof copy === 'object' && !Array.isArray(copy) ? copy : { data: copy }
}
