import type { Kernel } from 'agent-platform'
import type { Dispatcher } from 'undici'
import { Agent, Pool } from 'undici'
import { parseAllowed } from './allowed.ts'
import type { Guard } from './guard.ts'
import { createGuard } from './guard.ts'
import { createResolve } from './resolution.ts'
import type { OutgoingSettings } from './settings.ts'

export type Connections = Pick<ReturnType<typeof createOutgoingConnections>, 'guard' | 'dispatcher'>

interface Deps extends Pick<Kernel, 'platform' | 'shared'> {
  settings: OutgoingSettings
}

/** Connections that the guard made, kept for a while after a reply, a bounded number of them. */
export function createAgent(
  guard: Guard,
  settings: Pick<OutgoingSettings, 'connectTimeout' | 'connections'>
): Agent {
  return new Agent({
    connections: settings.connections,
    maxOrigins: 1_000,
    maxHeaderSize: 16_384,
    keepAliveMaxTimeout: 60_000,
    factory: (origin, options) => {
      const connect = guard.connectorTo(new URL(origin), settings.connectTimeout)
      return new Pool(origin, { ...options, connect })
    }
  })
}

/** The connections of this generation, which are the next one's too, unless it has other settings or other code. */
export function createOutgoingConnections({ settings, platform, shared }: Deps) {
  const guard = createGuard(parseAllowed(settings.allow, platform.production), createResolve())
  let agent: Agent | undefined

  return {
    guard,
    async open(): Promise<void> {
      // The URL has the pack's version in it: what a new version refuses, connections of an old one must not reach.
      agent = await shared(
        `agent/${import.meta.url}/${JSON.stringify(settings)}`,
        async () => createAgent(guard, settings),
        (it) => it.destroy()
      )
    },
    get dispatcher(): Dispatcher {
      if (!agent) throw new Error('connections are opened when the pack starts')
      return agent
    }
  }
}
