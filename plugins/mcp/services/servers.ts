import type { Kernel, Paging, Principal, Verb } from 'agent-platform'
import { conflict, forbidden, newId, reachOwner } from 'agent-platform'
import type { Tools } from '../../tools/contract.ts'
import { summaryOf } from '../presenters.ts'
import type { McpServerChanges, NewMcpServer } from '../schemas/servers.ts'
import type { ResourcePromptStore } from '../stores/resources-prompts.ts'
import type { ServerRow, ServerStore, Written } from '../stores/servers.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { Connections } from './connections.ts'
import type { OAuthTokens } from './oauth-tokens.ts'
import type { ServerValidation } from './server-validation.ts'

export type ServerService = ReturnType<typeof createServerService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  tools: Tools
  serverValidation: ServerValidation
  connections: Connections
  oauthTokens: OAuthTokens
  serverStore: ServerStore
  toolStore: ToolStore
  resourcePromptStore: ResourcePromptStore
}

const MOST_SERVERS = 100

/** Servers as their owners register, see and change them. */
export function createServerService(deps: Deps) {
  const { transaction, facts, tools, serverValidation, connections, oauthTokens } = deps
  const { serverStore, toolStore, resourcePromptStore } = deps

  /** What an agent calls must not come from what a model says: agents keep no servers. */
  function admit({ type }: Principal) {
    if (type === 'agent') throw forbidden('Agents keep no tool servers', { code: 'not_for_agents' })
  }

  async function find(by: Principal, id: string, verb: Verb): Promise<ServerRow> {
    admit(by)
    return serverStore.findOwned(by, id, verb)
  }

  async function register(by: Principal, input: NewMcpServer): Promise<ServerRow> {
    admit(by)
    const { project, owner } = by
    const id = newId('mcpserver')
    const written = await serverValidation.check(by, { ...input, id, before: undefined })
    return transaction(async (trx) => {
      if ((await serverStore.count(trx, { project, owner })) >= MOST_SERVERS)
        throw conflict(`There are ${MOST_SERVERS} servers already`, { code: 'too_many_servers' })
      const row = await serverStore.insert(trx, {
        ...written,
        id,
        project,
        owner,
        status: 'new',
        generation: 1
      })
      await facts.record(trx, 'mcp.server_registered', by, { subject: id, owner, data: summaryOf(row) })
      return row
    })
  }

  function list(by: Principal, { owner, ...page }: Paging & { owner?: string }) {
    admit(by)
    const where = owner === undefined ? {} : { owner: reachOwner(by, owner, 'owner') }
    return serverStore.list(by, page, where)
  }

  const read = (by: Principal, id: string) => find(by, id, 'read')

  async function update(by: Principal, id: string, changes: McpServerChanges, version?: number) {
    const found = await find(by, id, 'change')
    const written = await serverValidation.check(by, { ...changes, id, before: found })
    const row = await transaction(async (trx) => {
      const before = await serverStore.take(trx, found, version)
      if (before.generation !== found.generation)
        throw conflict('Another request is changing it', { code: 'changed_meanwhile' })
      const reconnects = leadsElsewhere(before, written)
      // What was given for one place is not shown at another.
      if (reconnects) await oauthTokens.remove(trx, before)
      const anew = { generation: before.generation + 1, status: 'new', statusReason: null } as const
      const { row, isChanged } = await serverStore.update(trx, before, {
        ...written,
        ...(reconnects && anew)
      })
      const { owner } = row
      if (isChanged)
        await facts.record(trx, 'mcp.server_updated', by, { subject: id, owner, data: summaryOf(row) })
      return row
    })
    if (row.generation !== found.generation) connections.close(id)
    return row
  }

  async function remove(by: Principal, id: string, version?: number): Promise<void> {
    const found = await find(by, id, 'change')
    await transaction(async (trx) => {
      const { project, owner, name } = await serverStore.remove(trx, found, version)
      const all = (await toolStore.listAll(trx, project, id)).map((tool) => tool.id)
      await tools.removeManaged(trx, by, project, all)
      await toolStore.removeOfServer(trx, project, id)
      await resourcePromptStore.removeOfServer(trx, project, id)
      await oauthTokens.remove(trx, found)
      const data = { id, name, tools: all.length }
      await facts.record(trx, 'mcp.server_deleted', by, { subject: id, owner, data })
    })
    connections.close(id)
  }

  return { find, register, list, read, update, remove }
}

/** Whether it is another server, or reached in another way, or as another one. */
function leadsElsewhere(before: ServerRow, written: Written): boolean {
  const of = ({ transport, url, command, args, auth, clientSecret }: Written) =>
    JSON.stringify([transport, url, command, args, Object.entries(auth).sort(), clientSecret])
  return of(before) !== of(written)
}
