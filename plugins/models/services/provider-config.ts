import type { Kernel } from 'agent-platform'
import type { Configuration, ConfigurationStore } from '../stores/configurations.ts'

export type Configurations = ReturnType<typeof createConfigurations>
type ByProvider = ReadonlyMap<string, Configuration>

interface Deps extends Pick<Kernel, 'remembered' | 'vault'> {
  configurationStore: ConfigurationStore
}

/** What requests to a server have beside its key. */
export interface Header {
  readonly name: string
  readonly value: string
  readonly secret: boolean
}

const CHANGED = 'models.configured'
/** A signal may be lost: how long what is kept is believed without one. */
const BELIEVE_MS = 5_000

const none: ByProvider = new Map()

/** What projects set up, kept in memory: asked at the start of each step of each run. */
export function createConfigurations({ remembered, vault, configurationStore }: Deps) {
  const secrets = vault.at('models.configuration', 'apiKey')
  const headers = vault.at('models.configuration', 'headers')
  const load = async (project: string): Promise<ByProvider> => {
    const rows = await configurationStore.list(project)
    return rows.length === 0 ? none : new Map(rows.map((row) => [row.provider, row]))
  }
  const known = remembered(CHANGED, load, BELIEVE_MS)

  return {
    of: known.of,
    changed: known.changed,
    seal: (project: string, provider: string, apiKey: string) => secrets.seal(project, provider, apiKey),
    open: ({ project, provider }: Configuration, sealed: string) => secrets.open(project, provider, sealed),
    sealHeaders: (project: string, provider: string, all: readonly Header[]) =>
      headers.seal(project, provider, JSON.stringify(all)),
    async headersOf({ project, provider, headers: sealed }: Configuration): Promise<readonly Header[]> {
      return sealed === null ? [] : JSON.parse(await headers.open(project, provider, sealed))
    },
    close: () => known[Symbol.dispose]()
  }
}
