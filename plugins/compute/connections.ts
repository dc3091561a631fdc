import type { Kernel } from 'agent-platform'
import { trimEndOf } from 'agent-platform'
import { Pool } from 'undici'
import type { ComputeSettings } from './settings.ts'

/** Connections to one compute service. */
export interface ComputeConnections {
  readonly pool: Pool
  readonly origin: string
  /** What stands before each path: empty, or begins with `/` and does not end with one. */
  readonly base: string
}

interface Deps extends Pick<Kernel, 'shared'> {
  settings: ComputeSettings
}

/**
 * The connections of this generation, undefined where no compute service is configured. They are the next
 * generation's too, unless it has another address; with the last one that uses them they are closed, and what
 * still runs on them is cut.
 */
export function createComputeConnections({
  settings,
  shared
}: Deps): Promise<ComputeConnections | undefined> {
  if (settings.url === undefined) return Promise.resolve(undefined)
  const { origin, pathname } = new URL(settings.url)
  const timeout = settings.connectTimeout
  return shared(
    `pool/1/${timeout}/${origin}`,
    async () => new Pool(origin, { connect: { timeout } }),
    (pool) => pool.destroy()
  ).then((pool) => ({ pool, origin, base: trimEndOf(pathname, '/') }))
}
