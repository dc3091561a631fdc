import type { Kernel } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Configuration, ConfigurationStore } from '../stores/configurations.ts'

export type Configurations = ReturnType<typeof createConfigurations>
type ByProvider = ReadonlyMap<string, Configuration>

interface Deps extends Pick<Kernel, 'signals' | 'vault'> {
  configurationStore: ConfigurationStore
}

const CHANGED = 'models.configured'
const MAX_PROJECTS = 10_000
/** A signal may be lost: how long what is kept is believed without one. */
const BELIEVE_MS = 5_000

const none: ByProvider = new Map()
const placeOf = (provider: string) => `models.configuration/${provider}/apiKey`

/** What projects set up, kept in memory: asked at the start of each step of each run. */
export function createConfigurations({ signals, vault, configurationStore }: Deps) {
  const known = new LRUCache<string, Promise<ByProvider>>({ max: MAX_PROJECTS, ttl: BELIEVE_MS })
  const hearing = signals.on(CHANGED, (project) => void known.delete(String(project)))

  async function load(project: string): Promise<ByProvider> {
    const rows = await configurationStore.list(project)
    return rows.length === 0 ? none : new Map(rows.map((row) => [row.provider, row]))
  }

  return {
    of(project: string): Promise<ByProvider> {
      const found = known.get(project)
      if (found) return found
      const asked = load(project)
      known.set(project, asked)
      asked.catch(() => known.delete(project))
      return asked
    },
    /** After the commit; here it is known when this returns, on other instances soon. */
    changed: (project: string) => signals.send(CHANGED, project),
    seal: (project: string, provider: string, apiKey: string) =>
      vault.seal(project, placeOf(provider), apiKey),
    open: ({ project, provider }: Configuration, sealed: string) =>
      vault.open(project, placeOf(provider), sealed),
    close: () => hearing[Symbol.dispose]()
  }
}
