import type { Kernel, Principal } from 'agent-platform'
import { conflict } from 'agent-platform'
import type { Connection } from '../connections/connection.ts'
import { faultOf, isSessionGone } from '../connections/faults.ts'
import { accessNeededOf } from '../connections/target.ts'
import type { Noted, ServerRow, ServerStore } from '../stores/servers.ts'
import type { Connections } from './connections.ts'
import type { Discovery, Synced } from './discovery.ts'
import type { OAuthTokens } from './oauth-tokens.ts'

export type ClientSessions = ReturnType<typeof createClientSessions>

interface Deps extends Pick<Kernel, 'log' | 'principals'> {
  connections: Connections
  oauthTokens: OAuthTokens
  discovery: Discovery
  serverStore: ServerStore
}

/** What is done with a connection; `isNew`: what the server offers was discovered just now. */
type Work<T> = (connection: Connection, isNew: boolean) => Promise<T>

interface Wanted {
  /** Also where it failed a moment ago. */
  readonly now?: boolean
  /** All that is discovered is approved. */
  readonly approve?: boolean
}

/** Between two discoveries that only the server asked for. */
const PAUSE_MS = 5_000

/** Uses servers, and records how that went. */
export function createClientSessions(deps: Deps) {
  const { log, principals, connections, oauthTokens, discovery, serverStore } = deps
  const discovering = new Set<string>()
  const offers = new WeakMap<Connection, Synced>()

  /** For what no request asked for: on behalf of the server's owner, unless that one is disabled. */
  async function ownerOf({ project, owner }: ServerRow): Promise<Principal> {
    const principal = await principals.of(project, owner)
    if (!principal) throw conflict('The owner of the server is disabled', { code: 'owner_disabled' })
    return principal
  }

  const connected = (server: ServerRow, more: Noted = {}) =>
    serverStore.updateNoted(
      server,
      { status: 'connected', statusReason: null, ...more },
      { unless: 'disconnected' }
    )

  /** Discovers what a server offers, and records that it was reached. */
  async function ask(by: Principal, server: ServerRow, connection: Connection, approve?: boolean) {
    const { client } = connection
    const synced = await discovery.sync(by, server, connection, { approve })
    const { name, version } = client.getServerVersion() ?? {}
    await connected(server, {
      protocolVersion: storable(client.getNegotiatedProtocolVersion()) || null,
      identity: name === undefined ? null : { name: storable(name), version: storable(version) }
    })
    offers.set(connection, synced)
    return synced
  }

  async function open(server: ServerRow, approve?: boolean): Promise<Connection> {
    const owner = await ownerOf(server)
    const connection = await connections.open(server)
    try {
      await ask(owner, server, connection, approve)
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /**
   * The server's connection, opened and its offer discovered first where there is none: a tool that changed meanwhile
   * is known before it is called. What goes wrong on the way is the server's status from then on.
   */
  async function use<T>(server: ServerRow, work: Work<T>, { now = false, approve }: Wanted = {}): Promise<T> {
    const wasOpen = connections.pool.isOpen(server)
    const opening = () => open(server, approve)
    let times = 0
    let hadSession = false
    const reached = (connection: Connection) => {
      hadSession = connection.hasSession
      return work(connection, ++times > 1 || !wasOpen)
    }
    try {
      const done = await connections.pool.use(server, opening, reached, now).catch(async (error) => {
        // If a new session is rejected in the same way, the fault is in the request.
        if (times === 0 || !isSessionGone(error, hadSession)) throw error
        await connections.pool.close(server.id)
        return connections.pool.use(server, opening, reached, true)
      })
      if (server.status === 'error' || server.status === 'unauthorized') await connected(server)
      return done
    } catch (error) {
      await note(server, error)
      throw error
    }
  }

  /** What the server offers now; asked by its owner, where no one else is named. */
  const discover = (
    server: ServerRow,
    { by, ...wanted }: Wanted & { by?: Principal } = {}
  ): Promise<Synced> => {
    const work = async (connection: Connection, isNew: boolean) =>
      (isNew ? offers.get(connection) : undefined) ??
      ask(by ?? (await ownerOf(server)), server, connection, wanted.approve)
    return use(server, work, wanted)
  }

  /** What its status says from now on, if the connection is to blame. */
  async function note(server: ServerRow, error: unknown): Promise<void> {
    const challenge = accessNeededOf(error)
    if (challenge?.scope !== undefined && challenge.status === 403)
      await oauthTokens.want(server, challenge.scope)
    if (!challenge && connections.pool.isOpen(server)) return
    const noted = challenge
      ? { status: 'unauthorized' as const, statusReason: unauthorized(server, challenge.status === 403) }
      : { status: 'error' as const, statusReason: faultOf(error, server.name).message }
    await serverStore.updateNoted(server, noted, { unless: 'disconnected' })
  }

  /** The server said that it offers something else than before. */
  async function changed({ id }: Pick<ServerRow, 'id'>): Promise<void> {
    if (discovering.has(id)) return
    discovering.add(id)
    setTimeout(() => discovering.delete(id), PAUSE_MS).unref()
    try {
      const server = await serverStore.find(id)
      if (server && server.status !== 'disconnected') await discover(server)
    } catch (error) {
      log.info(
        { server: id, error: (error as Error).name },
        'what a tool server offers could not be discovered'
      )
    }
  }

  return { use, discover, changed, ownerOf }
}

const storable = (text = ''): string => text.slice(0, 200).toWellFormed().replaceAll('\0', '')

const unauthorized = ({ auth }: ServerRow, wantsMore: boolean): string => {
  if (auth.type !== 'oauth') return 'The server asks for a credential, or refuses the one it is shown'
  return wantsMore ? 'The server asks for more than its owner allowed' : 'Its owner has to authorize it'
}
