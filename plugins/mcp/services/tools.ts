import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, invalid, notFound, owned, typeOfId } from 'agent-platform'
import type { Tools } from '../../tools/contract.ts'
import type { ServerStore } from '../stores/servers.ts'
import type { ToolRow, ToolStore } from '../stores/tools.ts'
import { isOwn } from '../stores/tools.ts'
import type { DiscoveredTools } from './discovered-tools.ts'
import type { ServerService } from './servers.ts'

export type McpToolService = ReturnType<typeof createMcpToolService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  tools: Tools
  discoveredTools: DiscoveredTools
  serverService: ServerService
  serverStore: ServerStore
  toolStore: ToolStore
}

/** Rows that are looked at together for those that a caller may use. */
const BATCH = 200

/** Tools that were discovered. */
export function createMcpToolService({
  transaction,
  facts,
  tools,
  discoveredTools,
  serverService,
  serverStore,
  toolStore
}: Deps) {
  async function listOfServer(by: Principal, serverId: string, page: Paging) {
    const { project } = await serverService.read(by, serverId)
    return toolStore.listOfServer(project, serverId, page)
  }

  /** Own ones, and those that were granted, of which the tools pack knows. */
  async function list(by: Principal, { limit = 20, cursor }: Paging) {
    const data: ToolRow[] = []
    let before = cursor === undefined ? undefined : idOf(cursor)
    for (;;) {
      const rows = await toolStore.listBefore(by.project, before, BATCH)
      for (const row of await visible(by, rows)) {
        if (data.length === limit) return { data, nextCursor: cursorOf(data.at(-1) as ToolRow) }
        data.push(row)
      }
      if (rows.length < BATCH) return { data, nextCursor: null }
      before = rows.at(-1)?.id
    }
  }

  async function visible(by: Principal, rows: readonly ToolRow[]): Promise<readonly ToolRow[]> {
    const others = rows.filter((row) => by.type === 'agent' || !isOwn(by, row))
    const usable =
      others.length === 0
        ? new Set()
        : await tools.usable(
            by,
            others.map(({ id }) => id)
          )
    return rows.filter((row) => !others.includes(row) || usable.has(row.id))
  }

  /** By its id or its name, as in the list of tools. */
  const find = (by: Principal, idOrName: string): Promise<ToolRow | undefined> =>
    typeOfId(idOrName) === undefined ? toolStore.findNamed(by.project, idOrName) : toolStore.find(idOrName)

  async function read(by: Principal, idOrName: string): Promise<ToolRow> {
    const row = await find(by, idOrName)
    const granted = row?.project === by.project && (await visible(by, [row])).length > 0
    return owned(by, row, 'Tool of a tool server', 'read', { granted })
  }

  async function approve(by: Principal, idOrName: string, digest: string | undefined): Promise<ToolRow> {
    const found = await find(by, idOrName)
    if (!found) throw notFound('Tool of a tool server')
    const server = await serverService.find(by, found.serverId, 'change')
    return transaction(async (trx) => {
      await serverStore.take(trx, server)
      const row = (await toolStore.listAll(trx, found.project, server.id)).find(({ id }) => id === found.id)
      if (!row) throw notFound('Tool of a tool server')
      if ((digest ?? found.digest) !== row.digest)
        throw conflict('It was changed again meanwhile', { param: '/digest', code: 'definition_changed' })
      const approved = await toolStore.update(trx, row, { approvedDigest: row.digest })
      await discoveredTools.manage(trx, by, [approved])
      const { id, serverId, toolName: name, owner } = approved
      const data = { id, serverId, name, digest: approved.digest }
      await facts.record(trx, 'mcp.tool_approved', by, { subject: serverId, owner, data })
      return approved
    })
  }

  return { listOfServer, list, read, approve }
}

const cursorOf = ({ id }: ToolRow): string => Buffer.from(id).toString('base64url')
function idOf(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^tool_[0-9a-z]{26}$/.test(id)) return id
  throw invalid('cursor', 'Invalid cursor. Use nextCursor from the previous page of this list.')
}
