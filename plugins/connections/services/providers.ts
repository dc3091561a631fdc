import type { Kernel, Paging } from 'agent-platform'
import { notFound, pageOf } from 'agent-platform'
import type { Configured } from '../catalogue/configured.ts'
import { configuredProviders } from '../catalogue/configured.ts'
import type { OAuthProvider } from '../schemas/providers.ts'
import type { ConnectionSettings } from '../settings.ts'

export type ProviderService = ReturnType<typeof createProviderService>

interface Deps extends Pick<Kernel, 'platform'> {
  settings: ConnectionSettings
}

/** Which providers there are. */
export function createProviderService({ platform, settings }: Deps) {
  const all = configuredProviders(settings, platform.production)

  const shown = ({ key, name, icon, scopes, hosts, missing }: Configured): OAuthProvider => ({
    key,
    name,
    icon,
    scopes: [...scopes],
    hosts: [...hosts],
    callbackUrl: `${platform.baseUrl}/v1/oauth/callback/${key}`,
    isConfigured: missing.length === 0,
    missing: [...missing]
  })

  function find(key: string, param?: string): Configured {
    const provider = all.get(key)
    if (!provider) throw notFound('Provider', { param })
    return provider
  }

  /** Undefined where the settings that named it are gone. */
  const known = (key: string): Configured | undefined => all.get(key)

  const list = (page: Paging) => pageOf('providers', [...all.values()].map(shown), page)
  return { find, known, list, read: (key: string) => shown(find(key)) }
}
