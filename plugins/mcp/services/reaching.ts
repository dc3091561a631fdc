import type { Kernel, Principal } from 'agent-platform'
import type { Connection } from '../connections/connection.ts'
import { faultOf } from '../connections/faults.ts'
import { accessNeededOf } from '../connections/target.ts'
import type { Noted, ServerRow, ServerStore } from '../stores/servers.ts'
import type { Authorizations } from './authorizations.ts'
import type { Connections } from './connections.ts'
import type { Synced, Syncs } from './syncs.ts'

export type Reaching = ReturnType<typeof createReaching>

interface Deps extends Pick<Kernel, 'log'> {
  connections: Connections
  authorizations: Authorizations
  syncs: Syncs
  serverStore: ServerStore
}

/** Between two looks at what a server offers that nobody asked for. */
const PAUSE_MS = 5_000

/** Uses servers, and writes down how that went. */
export function createReaching({ log, connections, authorizations, syncs, serverStore }: Deps) {
  const looking = new Set<string>()

  const connected = (server: ServerRow, more: Noted = {}) =>
    serverStore.updateNoted(
      server,
      { status: 'connected', statusReason: null, ...more },
      { unless: 'disconnected' }
    )

  /** Looks through what a server offers, and writes down that it was reached. */
  async function prepare(server: ServerRow, connection: Connection, approve = false): Promise<Synced> {
    const { client } = connection
    const synced = await syncs.sync(ownerOf(server), server, connection, { approve })
    const { name, version } = client.getServerVersion() ?? {}
    await connected(server, {
      protocolVersion: storable(client.getNegotiatedProtocolVersion()) || null,
      identity: name === undefined ? null : { name: storable(name), version: storable(version) }
    })
    return synced
  }

  /**
   * The server's connection, opened and looked through first where there is none: a tool that was changed while nobody
   * looked is known before it is called. What goes wrong on the way is the server's status from then on.
   */
  async function use<T>(
    server: ServerRow,
    work: (connection: Connection) => Promise<T>,
    options: { now?: boolean; onSync?: (synced: Synced) => void; approve?: boolean } = {}
  ): Promise<T> {
    const { onSync, approve } = options
    const opened = async (connection: Connection) => {
      const synced = await prepare(server, connection, approve)
      onSync?.(synced)
    }
    try {
      const done = await connections.use(server, opened, work, options)
      if (server.status === 'error' || server.status === 'unauthorized') await connected(server)
      return done
    } catch (error) {
      await note(server, error)
      throw error
    }
  }

  /** What its status says from now on, if the connection is to blame. */
  async function note(server: ServerRow, error: unknown): Promise<void> {
    const challenge = accessNeededOf(error)
    if (challenge?.scope !== undefined && challenge.status === 403)
      await authorizations.want(server, challenge.scope)
    if (!challenge && connections.isOpen(server)) return
    const noted = challenge
      ? { status: 'unauthorized' as const, statusReason: unauthorized(server, challenge.status === 403) }
      : { status: 'error' as const, statusReason: faultOf(error, server.name).message }
    await serverStore.updateNoted(server, noted, { unless: 'disconnected' })
  }

  /** The server said that it offers something else than before. */
  async function look({ id }: ServerRow): Promise<void> {
    if (looking.has(id)) return
    looking.add(id)
    setTimeout(() => looking.delete(id), PAUSE_MS).unref()
    try {
      const server = await serverStore.find(id)
      if (server && server.status !== 'disconnected')
        await use(server, (connection) => syncs.sync(ownerOf(server), server, connection))
    } catch (error) {
      log.info({ server: id, error: (error as Error).name }, 'a tool server could not be looked through')
    }
  }

  return { use, prepare, look }
}

const storable = (text = ''): string => text.slice(0, 200).toWellFormed().replaceAll('\0', '')

const unauthorized = ({ auth }: ServerRow, wantsMore: boolean): string => {
  if (auth.type !== 'oauth') return 'The server asks for a credential, or refuses the one it is shown'
  return wantsMore ? 'The server asks for more than its owner allowed' : 'Its owner has to authorize it'
}

/** For what nobody in particular does: on behalf of whoever owns it. */
export const ownerOf = ({ project, owner }: Pick<ServerRow, 'project' | 'owner'>): Principal => ({
  id: owner,
  type: 'user',
  project,
  owner,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})
