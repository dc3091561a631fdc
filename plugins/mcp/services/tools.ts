import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, invalid, notFound, owned } from 'agent-platform'
import type { Tools } from '../../tools/contract.ts'
import type { ServerStore } from '../stores/servers.ts'
import type { ToolRow, ToolStore } from '../stores/tools.ts'
import { isOwn } from '../stores/tools.ts'
import type { ServerService } from './servers.ts'
import { adoptedOf } from './syncs.ts'

export type McpToolService = ReturnType<typeof createMcpToolService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  tools: Tools
  serverService: ServerService
  serverStore: ServerStore
  toolStore: ToolStore
}

/** Rows that are looked at together for those that somebody may use. */
const BATCH = 200

/** Tools that were discovered. */
export function createMcpToolService({
  transaction,
  facts,
  tools,
  serverService,
  serverStore,
  toolStore
}: Deps) {
  async function listOfServer(by: Principal, serverId: string, page: Paging) {
    const { project } = await serverService.read(by, serverId)
    return toolStore.listOfServer(project, serverId, page)
  }

  /** Own ones, and those that somebody granted: who that is, the tools pack knows. */
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
            others.map(({ toolId }) => toolId)
          )
    return rows.filter((row) => !others.includes(row) || usable.has(row.toolId))
  }

  async function read(by: Principal, id: string): Promise<ToolRow> {
    const row = await toolStore.find(id)
    const granted = row?.project === by.project && (await visible(by, [row])).length > 0
    return owned(by, row, 'Tool of a tool server', 'read', { granted })
  }

  async function approve(by: Principal, id: string, digest: string | undefined): Promise<ToolRow> {
    const found = await toolStore.find(id)
    if (!found) throw notFound('Tool of a tool server')
    const server = await serverService.find(by, found.serverId, 'change')
    return transaction(async (trx) => {
      if (!(await serverStore.take(trx, server))) throw notFound('Tool of a tool server')
      const row = (await toolStore.listAll(trx, found.project, server.id)).find((it) => it.id === id)
      if (!row) throw notFound('Tool of a tool server')
      if (digest !== undefined && digest !== row.digest)
        throw conflict('It was changed again meanwhile', { param: '/digest', code: 'definition_changed' })
      const approved = await toolStore.update(trx, row, { approvedDigest: row.digest })
      await tools.adopt(trx, by, [adoptedOf(approved)])
      const { serverId, name, toolId, owner } = approved
      const data = { id, serverId, name, toolId, digest: approved.digest }
      await facts.record(trx, 'mcp.tool_approved', by, { subject: serverId, owner, data })
      return approved
    })
  }

  return { listOfServer, list, read, approve }
}

const cursorOf = ({ id }: ToolRow): string => Buffer.from(id).toString('base64url')
function idOf(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^mcptool_[0-9a-z]{26}$/.test(id)) return id
  throw invalid('cursor', 'Not a cursor of this list')
}
