import type { Kernel, Paging, Principal, Verb } from 'agent-platform'
import { conflict, current, forbidden, newId, notFound, owned, reachOwner } from 'agent-platform'
import type { Tools } from '../../tools/contract.ts'
import type { McpServerChanges, NewMcpServer } from '../schemas/servers.ts'
import type { ReadingStore } from '../stores/readings.ts'
import type { ServerRow, ServerStore, Written } from '../stores/servers.ts'
import type { ToolStore } from '../stores/tools.ts'
import { toldOf } from '../told.ts'
import type { Authorizations } from './authorizations.ts'
import type { Connections } from './connections.ts'
import type { Places } from './places.ts'

export type ServerService = ReturnType<typeof createServerService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  tools: Tools
  places: Places
  connections: Connections
  authorizations: Authorizations
  serverStore: ServerStore
  toolStore: ToolStore
  readingStore: ReadingStore
}

const MOST_SERVERS = 100

/** Servers as their owners register, see and change them. */
export function createServerService(deps: Deps) {
  const { transaction, facts, tools, places, connections, authorizations } = deps
  const { serverStore, toolStore, readingStore } = deps

  /** What an agent calls must not come from what a model says: agents keep no servers. */
  function admit({ type }: Principal) {
    if (type === 'agent') throw forbidden('Agents keep no tool servers', { code: 'not_for_agents' })
  }

  async function find(by: Principal, id: string, verb: Verb): Promise<ServerRow> {
    admit(by)
    return owned(by, await serverStore.find(id), 'Tool server', verb)
  }

  async function register(by: Principal, input: NewMcpServer): Promise<ServerRow> {
    admit(by)
    const { project, owner } = by
    const id = newId('mcpserver')
    const written = await places.check(by, { ...input, id, before: undefined })
    return transaction(async (trx) => {
      if ((await serverStore.count(trx, { project, owner })) >= MOST_SERVERS)
        throw conflict(`There are ${MOST_SERVERS} servers already`, { code: 'too_many_servers' })
      const row = await serverStore.insert(trx, { ...written, id, project, owner })
      if (!row) throw nameTaken()
      await facts.record(trx, 'mcp.server_registered', by, { subject: id, owner, data: toldOf(row) })
      return row
    })
  }

  function list(by: Principal, { owner, ...page }: Paging & { owner?: string }) {
    admit(by)
    return serverStore.list(by, owner === undefined ? undefined : reachOwner(by, owner, 'owner'), page)
  }

  const read = (by: Principal, id: string) => find(by, id, 'read')

  async function update(by: Principal, id: string, changes: McpServerChanges, version?: number) {
    const found = await find(by, id, 'change')
    const written = await places.check(by, { ...changes, id, before: found })
    const row = await transaction(async (trx) => {
      const before = await serverStore.take(trx, found)
      const matches = before && (version === undefined || before.version === version)
      if (!before || !matches) return current<ServerRow>(undefined, 'Tool server', version)
      if (before.generation !== found.generation)
        throw conflict('Somebody else is changing it', { code: 'changed_meanwhile' })
      if (written.name !== before.name && (await serverStore.findNamesake(trx, before, written.name)))
        throw nameTaken()
      const reconnects = leadsElsewhere(before, written)
      // What was given for one place is not shown at another.
      if (reconnects) await authorizations.remove(trx, before)
      const row = await serverStore.update(trx, before, written, reconnects)
      await facts.record(trx, 'mcp.server_updated', by, { subject: id, owner: row.owner, data: toldOf(row) })
      return row
    })
    if (row.generation !== found.generation) connections.close(id)
    return row
  }

  async function remove(by: Principal, id: string): Promise<void> {
    const found = await find(by, id, 'change')
    await transaction(async (trx) => {
      const row = await serverStore.take(trx, found)
      if (!row) throw notFound('Tool server')
      const { project, owner, name } = row
      const all = await toolStore.listAll(trx, project, id)
      await tools.disown(
        trx,
        by,
        project,
        all.map(({ toolId }) => toolId)
      )
      await toolStore.removeOfServer(trx, project, id)
      await readingStore.removeOfServer(trx, project, id)
      await authorizations.remove(trx, row)
      await serverStore.remove(trx, row)
      await facts.record(trx, 'mcp.server_deleted', by, {
        subject: id,
        owner,
        data: { id, name, tools: all.length }
      })
    })
    connections.close(id)
  }

  return { find, register, list, read, update, remove }
}

const nameTaken = () =>
  conflict('There is a tool server of that name', { param: '/name', code: 'name_taken' })

/** Whether it is another server, or reached in another way, or as somebody else. */
function leadsElsewhere(before: ServerRow, written: Written): boolean {
  const of = ({ transport, url, command, args, auth, clientSecret }: Written) =>
    JSON.stringify([transport, url, command, args, Object.entries(auth).sort(), clientSecret])
  return of(before) !== of(written)
}
