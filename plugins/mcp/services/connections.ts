import type { Kernel } from 'agent-platform'
import { upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import { fill, parseCommands } from '../commands.ts'
import type { Connection } from '../connections/connection.ts'
import { openConnection } from '../connections/connection.ts'
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
  tools: Tools
}

/** What connections need of the platform, of whose generations they outlive some. */
interface Host {
  readonly outgoing: Outgoing
  readonly serverCredentials: ServerCredentials
  readonly sampling: Sampling
  readonly tools: Tools
  changed(server: ServerRow): void
}

const CLOSED = 'mcp.closed'

type Secrets = ReturnType<typeof createSecrets>

/** What one server was shown, each secret once however often it is. */
function createSecrets(tools: Tools) {
  const known = new Set<string>()
  const redactor = tools.redactor([])
  return {
    add(secrets: readonly string[]) {
      for (const secret of secrets) {
        if (secret === '' || known.has(secret)) continue
        known.add(secret)
        redactor.add(secret)
      }
    },
    redact: <T>(said: T): T => (known.size === 0 ? said : redactor.redact(said)),
    redactInTurns: async <T>(said: T): Promise<T> => (known.size === 0 ? said : redactor.redactInTurns(said))
  }
}

/** Connections to servers, each opened when it is needed first. */
export function createConnections(deps: Deps) {
  const { platform, shared, signals, settings, outgoing, serverCredentials, sampling, tools } = deps
  const commands = parseCommands(settings.mcpCommands)
  const host: Host = { outgoing, serverCredentials, sampling, tools, changed: () => {} }
  let opened: Pool<Host> | undefined
  let hearing: Disposable | undefined
  function pool(): Pool<Host> {
    if (!opened) throw new Error('connections are opened when the pack starts')
    return opened
  }

  function targetOf(server: ServerRow): Target {
    const { name, transport } = server
    const { add, ...redaction } = createSecrets(pool().host.tools)
    const common = { name, messageBytes: settings.mcpMessageBytes, ...redaction }
    if (transport !== 'stdio') {
      const url = new URL(server.url as string)
      // Some are written into addresses.
      add([...url.searchParams.values(), url.password])
      return { ...common, transport, url, credential: credentialOf(server, url, add) }
    }
    const command = commands.get(server.command ?? '')
    const words = command && fill(command, server.args)
    if (!command || !Array.isArray(words))
      throw upstreamFailed(`The command of ${name} is not allowed any more`, { code: 'command_not_allowed' })
    add(command.env.map((name) => process.env[name] ?? ''))
    return { ...common, transport, command, words }
  }

  function credentialOf(server: ServerRow, url: URL, add: Secrets['add']): Credential {
    const holder = pool()
    return {
      async headers() {
        const { headers, secrets } = await holder.host.serverCredentials.open(server, url)
        add(secrets)
        return headers
      },
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

    get pool() {
      return pool()
    },

    open,

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
