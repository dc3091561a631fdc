import type { Kernel } from 'agent-platform'
import { upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import { fill, parseCommands } from '../commands.ts'
import type { Connection } from '../connections/connection.ts'
import { openConnection } from '../connections/connection.ts'
import { isSessionGone } from '../connections/faults.ts'
import type { Pool } from '../connections/pool.ts'
import { createPool } from '../connections/pool.ts'
import type { Credential, Target } from '../connections/target.ts'
import type { McpSettings } from '../settings.ts'
import type { ServerRow } from '../stores/servers.ts'
import type { ServerCredentials } from './credentials.ts'
import type { Sampling } from './sampling.ts'

export type Connections = ReturnType<typeof createConnections>

interface Deps extends Pick<Kernel, 'platform' | 'shared' | 'signals'> {
  settings: McpSettings
  outgoing: Outgoing
  serverCredentials: ServerCredentials
  sampling: Sampling
}

/** What connections need of the platform, of whose generations they outlive some. */
interface Host {
  readonly outgoing: Outgoing
  readonly serverCredentials: ServerCredentials
  readonly sampling: Sampling
  changed(server: ServerRow): void
}

const CLOSED = 'mcp.closed'
const keyOf = ({ id, generation }: Pick<ServerRow, 'id' | 'generation'>) => `${id}/${generation}`

/** Connections to servers, each opened when it is needed first. */
export function createConnections(deps: Deps) {
  const { platform, shared, signals, settings, outgoing, serverCredentials, sampling } = deps
  const commands = parseCommands(settings.mcpCommands)
  const host: Host = { outgoing, serverCredentials, sampling, changed: () => {} }
  let opened: Pool<Host> | undefined
  let hearing: Disposable | undefined
  function pool(): Pool<Host> {
    if (!opened) throw new Error('connections are opened when the pack starts')
    return opened
  }

  function targetOf(server: ServerRow): Target {
    const { name, transport } = server
    const common = { name, messageBytes: settings.mcpMessageBytes }
    if (transport !== 'stdio') {
      const url = new URL(server.url as string)
      return { ...common, transport, url, credential: credentialOf(server, url) }
    }
    const command = commands.get(server.command ?? '')
    const words = command && fill(command, server.args)
    if (!command || !Array.isArray(words))
      throw upstreamFailed(`The command of ${name} is not allowed any more`, { code: 'command_not_allowed' })
    return { ...common, transport, command, words }
  }

  function credentialOf(server: ServerRow, url: URL): Credential {
    const holder = pool()
    return {
      headers: () => holder.host.serverCredentials.headers(server, url),
      refused: (shown, challenge) => holder.host.serverCredentials.refused(server, shown, challenge)
    }
  }

  function open(server: ServerRow): Promise<Connection> {
    const holder = pool()
    return openConnection(targetOf(server), {
      outgoing: () => holder.host.outgoing,
      platform,
      connectSeconds: settings.mcpConnectSeconds,
      sample: settings.mcpSampling
        ? (exchange, params) => holder.host.sampling.sample(server, exchange, params)
        : undefined,
      changed: () => holder.host.changed(server)
    })
  }

  return {
    commands,

    /** `prepare` is done with a connection that was just opened, before anybody uses it. */
    async use<T>(
      server: ServerRow,
      prepare: (connection: Connection) => Promise<void>,
      work: (connection: Connection) => Promise<T>,
      { now = false } = {}
    ): Promise<T> {
      let isReached = false
      const opening = async () => {
        // What leads to it from before its last edit is not used again.
        void pool().close(server.id, keyOf(server))
        const connection = await open(server)
        try {
          await prepare(connection)
          return connection
        } catch (error) {
          await connection.close()
          throw error
        }
      }
      const working = (connection: Connection) => {
        isReached = true
        return work(connection)
      }
      try {
        return await pool().use(keyOf(server), server.id, opening, working, { now })
      } catch (error) {
        // The server knows the session no more, and so has done nothing.
        if (!isReached || !isSessionGone(error)) throw error
        await pool().close(server.id)
        return pool().use(keyOf(server), server.id, opening, work, { now: true })
      }
    },

    isOpen: (server: ServerRow) => pool().isOpen(keyOf(server)),

    /** On every instance. */
    close: (serverId: string) => signals.send(CLOSED, serverId),

    async start() {
      const { mcpConnections: most, mcpIdleSeconds: idleSeconds } = settings
      // The URL has the pack's version in it: connections speak by the code that opened them.
      opened = await shared(
        `connections/${import.meta.url}/${JSON.stringify(settings)}`,
        async () => createPool({ most, idleSeconds }, host),
        async (it) => void (await it.closeAll())
      )
      hearing = signals.on(CLOSED, (serverId) => void opened?.close(String(serverId)))
    },

    /** From now on it is this generation that connections ask and tell. */
    resume(changed: (server: ServerRow) => void) {
      pool().host = { ...host, changed }
    },

    stop: () => hearing?.[Symbol.dispose]()
  }
}
