import { createHash } from 'node:crypto'
import type { Kernel, Principal, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Tools } from '../../tools/contract.ts'
import type { Connection } from '../connections/connection.ts'
import type { Discovered } from '../discovering.ts'
import { discover } from '../discovering.ts'
import { canonical, toolNameOf } from '../naming.ts'
import type { McpSettings } from '../settings.ts'
import type { ReadingStore } from '../stores/readings.ts'
import type { ServerRow, ServerStore } from '../stores/servers.ts'
import type { Definition, NewTool, ToolRow, ToolStore } from '../stores/tools.ts'

export type Syncs = ReturnType<typeof createSyncs>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: McpSettings
  tools: Tools
  serverStore: ServerStore
  toolStore: ToolStore
  readingStore: ReadingStore
}

export interface Synced {
  readonly tools: number
  readonly resources: number
  readonly prompts: number
  readonly added: number
  readonly changed: number
  readonly gone: number
  readonly pending: number
  readonly refused: readonly string[]
  readonly lastSyncAt: string
}

const digestOf = (definition: Definition): string =>
  createHash('sha256').update(canonical(definition)).digest('hex')

/** Why agents are not offered it, if so. */
export function unavailableOf(tool: Pick<ToolRow, 'missing' | 'digest' | 'approvedDigest'>): string | null {
  if (tool.missing) return 'Its server does not offer it any more'
  if (tool.approvedDigest === tool.digest) return null
  return tool.approvedDigest === null
    ? 'It is new on its server, and was not approved'
    : 'Its server changed it after it was approved: it has to be approved again'
}

/** What agents are told of it. */
export const adoptedOf = (tool: Omit<NewTool, 'createdAt' | 'updatedAt'>) => {
  const { id, project, owner, serverId, toolId, toolName, definition } = tool
  const { title, description, inputSchema, annotations } = definition
  return {
    id: toolId,
    project,
    owner,
    kind: 'mcp',
    name: toolName,
    description: description ?? title ?? '',
    parameters: inputSchema,
    config: { serverId, mcpToolId: id, name: definition.name },
    idempotent: annotations?.readOnlyHint === true || annotations?.idempotentHint === true,
    unavailable: unavailableOf(tool)
  }
}

/** Finds out what a server offers, and keeps it. */
export function createSyncs(deps: Deps) {
  const { transaction, facts, settings, tools, serverStore, toolStore, readingStore } = deps

  /** What is there when a server is looked at for the first time is what its owner wanted; the rest he has to approve. */
  async function sync(
    by: Principal,
    server: ServerRow,
    connection: Connection,
    { approve = false } = {}
  ): Promise<Synced> {
    const found = await discover(connection, server.name, settings.mcpCallSeconds)
    return transaction(async (trx) => {
      const current = await serverStore.take(trx, server)
      // Edited or deleted meanwhile: what was found is of something else.
      if (current?.generation !== server.generation)
        return { ...empty, refused: found.refused, lastSyncAt: new Date().toISOString() }
      const approves = approve || current.lastSyncAt === null
      const counts = await keepTools(trx, by, current, found, approves)
      const owner = { project: current.project, owner: current.owner, serverId: current.id }
      await readingStore.replace(trx, 'resource', owner, found.resources)
      await readingStore.replace(trx, 'prompt', owner, found.prompts)
      const lastSyncAt = new Date().toISOString()
      await serverStore.updateNoted(current, { lastSyncAt }, { on: trx })
      const { added, changed, gone } = counts
      if (added + changed + gone > 0)
        await facts.record(trx, 'mcp.server_synced', by, {
          subject: current.id,
          owner: current.owner,
          data: { id: current.id, added, changed, gone }
        })
      return {
        tools: found.tools.length,
        resources: found.resources.length,
        prompts: found.prompts.length,
        ...counts,
        refused: found.refused,
        lastSyncAt
      }
    })
  }

  async function keepTools(trx: Trx, by: Principal, server: ServerRow, found: Discovered, approves: boolean) {
    const { project, owner, id: serverId } = server
    const rows = await toolStore.listAll(trx, project, serverId)
    const known = new Map(rows.map((row) => [row.name, row]))
    const added: NewTool[] = []
    const changed: ToolRow[] = []
    let pending = 0
    for (const definition of found.tools) {
      const digest = digestOf(definition)
      const row = known.get(definition.name)
      known.delete(definition.name)
      const approvedDigest = approves ? digest : (row?.approvedDigest ?? null)
      if (approvedDigest !== digest) pending++
      if (!row) {
        const toolName = toolNameOf(server, definition.name)
        const ids = { id: newId('mcptool'), toolId: newId('tool') }
        const { name } = definition
        const of = { project, owner, serverId, missing: false }
        added.push({ ...of, ...ids, name, toolName, definition, digest, approvedDigest })
      } else if (row.digest !== digest || row.missing || row.approvedDigest !== approvedDigest)
        changed.push(await toolStore.update(trx, row, { definition, digest, approvedDigest, missing: false }))
    }
    const gone: ToolRow[] = []
    for (const row of known.values())
      if (!row.missing) gone.push(await toolStore.update(trx, row, { missing: true }))
    await adopt(trx, by, [...added, ...changed, ...gone])
    await toolStore.insert(trx, added)
    await forget(trx, by, project, [...known.values()], rows.length + added.length)
    return { added: added.length, changed: changed.length, gone: gone.length, pending }
  }

  /** The names that they got are kept: a tool that has one keeps it. */
  async function adopt(trx: Trx, by: Principal, rows: readonly (NewTool & { toolName: string })[]) {
    const names = await tools.adopt(trx, by, rows.map(adoptedOf))
    for (const row of rows) row.toolName = names.get(row.toolId) ?? row.toolName
  }

  /** Tools that are gone are kept with their assignments, in case they come back; but not without bound. */
  async function forget(trx: Trx, by: Principal, project: string, gone: readonly ToolRow[], all: number) {
    const old = gone.slice(0, Math.max(0, all - 2 * MOST_TOOLS))
    if (old.length === 0) return
    await tools.disown(
      trx,
      by,
      project,
      old.map(({ toolId }) => toolId)
    )
    await toolStore.remove(
      trx,
      project,
      old.map(({ id }) => id)
    )
  }

  return { sync }
}

const MOST_TOOLS = 512
const empty = { tools: 0, resources: 0, prompts: 0, added: 0, changed: 0, gone: 0, pending: 0 }
