import type { Capability } from '../providers/contract.ts'
import { defaults } from './schemas/computers.ts'
import type { Providers } from './services/providers.ts'

/** What computers run in here; each computer says in which, and of which image. */
export const computerCapability = ({ providers }: { providers: Providers }): Capability => ({
  title: 'Computers',
  description: 'Runs the computers of agents; each one chooses for itself',
  list: () => providers.list(),
  async current() {
    const found = (await providers.list()).find((it) => it.provider === defaults.provider)
    if (!found) return undefined
    const { provider, configured } = found
    return { provider, modelId: null, source: 'default', configured, version: 0, updatedAt: null }
  }
})
