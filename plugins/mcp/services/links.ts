import type { Kernel, Principal } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import type { Connection } from '../connections/connection.ts'
import { faultOf } from '../connections/faults.ts'
import { accessNeededOf } from '../connections/target.ts'
import type { McpServerStatus } from '../schemas/servers.ts'
import type { ServerRow, ServerStore } from '../stores/servers.ts'
import type { ToolStore } from '../stores/tools.ts'
import { serverOf } from '../told.ts'
import type { Connections } from './connections.ts'
import type { Consents } from './consents.ts'
import type { Reaching } from './reaching.ts'
import type { ServerService } from './servers.ts'
import type { Synced, Syncs } from './syncs.ts'

export type LinkService = ReturnType<typeof createLinkService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  serverService: ServerService
  serverStore: ServerStore
  toolStore: ToolStore
  connections: Connections
  consents: Consents
  reaching: Reaching
  syncs: Syncs
}

/** Connecting to servers and leaving them, as their owners want it. */
export function createLinkService(deps: Deps) {
  const {
    transaction,
    facts,
    serverService,
    serverStore,
    toolStore,
    connections,
    consents,
    reaching,
    syncs
  } = deps

  const afresh = async (id: string): Promise<ServerRow> => {
    const row = await serverStore.find(id)
    if (!row) throw notFound('Tool server')
    return row
  }

  async function connect(by: Principal, id: string) {
    const server = await serverService.find(by, id, 'change')
    if (server.status === 'disconnected')
      await serverStore.updateNoted(server, { status: 'new', statusReason: null })
    try {
      if (await consents.isWanted(server)) return await authorize(by, server, undefined)
      let isFresh = false
      const look = async (connection: Connection) => {
        if (!isFresh) await reaching.prepare(server, connection)
      }
      await reaching.use(server, look, { now: true, onSync: () => (isFresh = true) })
    } catch (error) {
      const challenge = accessNeededOf(error)
      if (challenge && server.auth.type === 'oauth') return authorize(by, server, challenge)
      if (challenge) return serverOf(await afresh(id))
      throw faultOf(error, server.name)
    }
    const { owner, name } = server
    await transaction((trx) =>
      facts.record(trx, 'mcp.server_connected', by, { subject: id, owner, data: { id, name } })
    )
    return serverOf(await afresh(id))
  }

  /** The server is left `unauthorized`, and its owner is told where he can change that. */
  async function authorize(by: Principal, server: ServerRow, challenge: Parameters<Consents['ask']>[2]) {
    const authorizationUrl = await consents.ask(by, server, challenge)
    return { ...serverOf(await afresh(server.id)), authorizationUrl }
  }

  async function disconnect(by: Principal, id: string) {
    const { owner, name, ...server } = await serverService.find(by, id, 'change')
    await transaction(async (trx) => {
      await serverStore.updateNoted(
        server,
        { status: 'disconnected', statusReason: 'Its owner disconnected it' },
        { on: trx }
      )
      await facts.record(trx, 'mcp.server_disconnected', by, { subject: id, owner, data: { id, name } })
    })
    connections.close(id)
    return serverOf(await afresh(id))
  }

  async function status(by: Principal, id: string): Promise<McpServerStatus> {
    const server = await serverService.read(by, id)
    const { offered, pending } = await toolStore.countOffered(server.project, id)
    const { lastSyncAt, status, statusReason, protocolVersion, identity } = server
    return {
      id,
      status,
      statusReason,
      lastSyncAt,
      open: connections.isOpen(server),
      protocolVersion,
      server: identity,
      tools: offered,
      pending
    }
  }

  async function sync(by: Principal, id: string, approve: boolean): Promise<Synced & { id: string }> {
    const server = await serverService.find(by, id, 'change')
    if (server.status === 'disconnected')
      throw conflict('The server is disconnected', { code: 'server_disconnected' })
    try {
      let synced: Synced | undefined
      await reaching.use(
        server,
        async (connection) => {
          synced ??= await syncs.sync(by, server, connection, { approve })
        },
        { now: true, approve, onSync: (it) => (synced = it) }
      )
      return { id, ...(synced as Synced) }
    } catch (error) {
      throw faultOf(error, server.name)
    }
  }

  return { connect, disconnect, status, sync }
}
