import type { Principal, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Tools } from '../../tools/contract.ts'
import { toolNameOf } from '../naming.ts'
import type { ServerRow } from '../stores/servers.ts'
import type { Definition, NewTool, ToolRow, ToolStore } from '../stores/tools.ts'

export type DiscoveredTools = ReturnType<typeof createDiscoveredTools>

interface Deps {
  tools: Tools
  toolStore: ToolStore
}

/** A tool as its server defines it, and why agents could not be offered it. */
export interface Examined {
  readonly definition: Definition
  readonly digest: string
  readonly fault: string | null
}

/** Tools of one server that are kept although they are gone: twice as many as it may offer. */
const MOST_KEPT = 1_024

/** Why agents are not offered it, if so. */
export function unavailableOf({
  missing,
  digest,
  approvedDigest,
  fault
}: Pick<ToolRow, 'missing' | 'digest' | 'approvedDigest' | 'fault'>): string | null {
  if (missing) return 'Its server does not offer it any more'
  if (approvedDigest === digest) return fault
  return approvedDigest === null
    ? 'It is new on its server, and was not approved'
    : 'Its server changed it after it was approved: it has to be approved again'
}

/** As agents see it. */
export const managedToolOf = (tool: NewTool) => {
  const { id, project, owner, serverId, toolName, definition } = tool
  const { title, description, inputSchema, annotations } = definition
  return {
    id,
    project,
    owner,
    kind: 'mcp',
    name: toolName,
    description: description ?? title ?? '',
    parameters: inputSchema,
    config: { serverId, name: definition.name },
    idempotent: annotations?.readOnlyHint === true || annotations?.idempotentHint === true,
    unavailable: unavailableOf(tool)
  }
}

/** Tools as they were discovered, here and in the list of tools. */
export function createDiscoveredTools({ tools, toolStore }: Deps) {
  /** What is new or has changed is written; says how much that was. */
  async function keep(
    trx: Trx,
    by: Principal,
    server: ServerRow,
    found: readonly Examined[],
    approves: boolean
  ) {
    const { project, owner, id: serverId } = server
    const names = found.map(({ definition }) => definition.name)
    const rows = await toolStore.listNamed(trx, project, serverId, names)
    const known = new Map(rows.map((row) => [row.name, row]))
    const added: NewTool[] = []
    const changed: ToolRow[] = []
    const counts = { added: 0, changed: 0, approved: 0, pending: 0 }
    for (const { definition, digest, fault } of found) {
      const { name } = definition
      const row = known.get(name)
      const approvedDigest = approves ? digest : (row?.approvedDigest ?? null)
      if (approvedDigest !== digest) counts.pending++
      if (!row) {
        const toolName = toolNameOf(server, name)
        const of = { id: newId('tool'), project, owner, serverId, missing: false }
        added.push({ ...of, name, toolName, definition, digest, approvedDigest, fault })
        continue
      }
      const isChanged = row.digest !== digest || row.missing
      const isApproved = row.approvedDigest !== approvedDigest
      if (isChanged) counts.changed++
      else if (isApproved) counts.approved++
      if (isChanged || isApproved)
        changed.push(
          await toolStore.update(trx, row, { definition, digest, approvedDigest, fault, missing: false })
        )
    }
    await manage(trx, by, [...added, ...changed])
    await toolStore.insert(trx, added)
    return { ...counts, added: added.length }
  }

  /** The names that they got are kept: a tool that has one keeps it. */
  async function manage(trx: Trx, by: Principal, rows: readonly (NewTool & { toolName: string })[]) {
    const names = await tools.saveManaged(trx, by, rows.map(managedToolOf))
    for (const row of rows) row.toolName = names.get(row.id) ?? row.toolName
  }

  /** All but those are not offered any more; says how many became so. They stay for when they come back, within bounds. */
  async function markGone(trx: Trx, by: Principal, server: ServerRow, offered: ReadonlySet<string>) {
    const { project, id } = server
    const rows = await toolStore.listAll(trx, project, id)
    const all = rows.filter(({ name }) => !offered.has(name))
    const gone: ToolRow[] = []
    for (const row of all) if (!row.missing) gone.push(await toolStore.update(trx, row, { missing: true }))
    await manage(trx, by, gone)
    const oldest = all.slice(0, Math.max(0, rows.length - MOST_KEPT))
    if (oldest.length > 0) {
      const ids = oldest.map(({ id }) => id)
      await tools.removeManaged(trx, by, project, ids)
      await toolStore.remove(trx, project, ids)
    }
    return gone.length
  }

  return { keep, markGone, manage }
}
