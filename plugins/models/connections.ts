import type { Kernel } from 'agent-platform'
import type { Dispatcher } from 'undici'
import { Agent } from 'undici'
import type { Outgoing } from '../outgoing/contract.ts'

export type ModelConnections = ReturnType<typeof createModelConnections>

interface Deps extends Pick<Kernel, 'shared'> {
  outgoing: Outgoing
}

const CONNECTIONS = 256

/** A model may think for as long as its caller waits: the caller aborts. */
const unhurried: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)

/** Ways to models: to addresses that the operator named, and to those that a project named. */
export function createModelConnections({ shared, outgoing }: Deps) {
  const trusted = shared(
    `agent/1/${CONNECTIONS}`,
    async () => new Agent({ connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 }),
    (agent) => agent.destroy()
  )
  let guarded: Dispatcher | undefined
  return {
    async to(whose: 'operator' | 'project'): Promise<Dispatcher> {
      if (whose === 'operator') return trusted
      guarded ??= outgoing.dispatcher.compose(unhurried)
      return guarded
    }
  }
}
