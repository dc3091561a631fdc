import type { Kernel, Principal } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import { faultOf } from '../connections/faults.ts'
import type { Challenge } from '../connections/target.ts'
import { accessNeededOf } from '../connections/target.ts'
import { serverOf } from '../presenters.ts'
import type { McpServerStatus } from '../schemas/servers.ts'
import type { ServerRow, ServerStore } from '../stores/servers.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { ClientSessions } from './client-session.ts'
import type { Connections } from './connections.ts'
import type { Synced } from './discovery.ts'
import type { OAuthFlow } from './oauth-flow.ts'
import type { ServerService } from './servers.ts'

export type ConnectService = ReturnType<typeof createConnectService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  serverService: ServerService
  serverStore: ServerStore
  toolStore: ToolStore
  connections: Connections
  oauthFlow: OAuthFlow
  clientSessions: ClientSessions
}

/** Connecting to servers and leaving them, as their owners want it. */
export function createConnectService(deps: Deps) {
  const {
    transaction,
    facts,
    serverService,
    serverStore,
    toolStore,
    connections,
    oauthFlow,
    clientSessions
  } = deps

  const reload = async (id: string): Promise<ServerRow> => {
    const row = await serverStore.find(id)
    if (!row) throw notFound('Tool server')
    return row
  }

  /** `isBrowser`: a browser session asks. Only it can complete an authorization that is needed then. */
  async function connect(by: Principal, id: string, isBrowser: boolean) {
    const server = await serverService.find(by, id, 'change')
    if (server.status === 'disconnected')
      await serverStore.updateNoted(server, { status: 'new', statusReason: null })
    try {
      if (await oauthFlow.isWanted(server)) return await authorize(by, server, undefined, isBrowser)
      await clientSessions.discover(server, { now: true })
    } catch (error) {
      const challenge = accessNeededOf(error)
      if (challenge && server.auth.type === 'oauth') return authorize(by, server, challenge, isBrowser)
      if (challenge) return connected(id)
      throw faultOf(error, server.name)
    }
    const { owner, name } = server
    await transaction((trx) =>
      facts.record(trx, 'mcp.server_connected', by, { subject: id, owner, data: { id, name } })
    )
    return connected(id)
  }

  const connected = async (id: string) => ({
    data: { ...serverOf(await reload(id)), authorizationUrl: null },
    browser: undefined
  })

  /** The server is left `unauthorized`, and the reply says where its owner changes that. */
  async function authorize(
    by: Principal,
    server: ServerRow,
    challenge: Challenge | undefined,
    isBrowser: boolean
  ) {
    const { authorizationUrl, browser } = await oauthFlow.ask(by, server, challenge, isBrowser)
    return { data: { ...serverOf(await reload(server.id)), authorizationUrl }, browser }
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
    return serverOf(await reload(id))
  }

  async function status(by: Principal, id: string): Promise<McpServerStatus> {
    const server = await serverService.read(by, id)
    const counts = await toolStore.count(server.project, id)
    const { lastSyncAt, status, statusReason, protocolVersion, identity } = server
    return {
      id,
      status,
      statusReason,
      lastSyncAt,
      open: connections.pool.isOpen(server),
      protocolVersion,
      server: identity,
      ...counts
    }
  }

  async function sync(by: Principal, id: string, approve: boolean): Promise<Synced & { id: string }> {
    const server = await serverService.find(by, id, 'change')
    if (server.status === 'disconnected')
      throw conflict('The server is disconnected', { code: 'server_disconnected' })
    try {
      return { id, ...(await clientSessions.discover(server, { by, approve, now: true })) }
    } catch (error) {
      throw faultOf(error, server.name)
    }
  }

  return { connect, disconnect, status, sync }
}
