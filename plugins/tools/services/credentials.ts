import type { Kernel } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { CredentialSource, Tools } from '../contract.ts'

export type ConnectionCredentials = ReturnType<typeof createConnectionCredentials>

/** Connections, of whichever pack keeps them. */
export function createConnectionCredentials({ points }: Pick<Kernel, 'points'>) {
  function source(): CredentialSource {
    const found = points.all('tools.credential').find(({ key }) => key === 'connection')?.value
    if (found) return found
    throw unavailable('Connections are off', { code: 'connections_off' })
  }

  return {
    checkConnection: async (by, need) => source().check(by, need),
    openConnection: async (by, need) => source().open(by, need)
  } satisfies Pick<Tools, 'checkConnection' | 'openConnection'>
}
