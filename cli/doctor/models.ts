import { hostname } from 'node:os'
import { createClient } from 'agent-platform-client'
import type { Check, Finding } from './finding.ts'
import { ok, warning } from './finding.ts'
import type { Target } from './target.ts'

/** What the platform says itself, while it runs: the pack that knows may be off. */
export const modelsCheck = ({ living, settings }: Target): Check => ({
  name: 'models',
  async look(): Promise<Finding> {
    const own = living.find(({ host, url, draining }) => host === hostname() && url !== null && !draining)
    if (!own?.url) return ok('known while the platform runs')
    const providers = new Set<string>()
    let usual: string | undefined
    for await (const model of createClient({ baseUrl: own.url }).list('/v1/models')) {
      // Those that give vectors answer nobody.
      if (!model.modalities.includes('language')) continue
      if (model.configured) providers.add(model.modelProvider)
      if (model.default) usual = model.id
    }
    if (usual === undefined)
      return warning('no model answers by default', 'set the key of a provider of models')
    if (providers.size > 1) return ok(`${usual} answers agents that name none`)
    const found = `${usual} answers, and there is no other provider`
    return settings.production
      ? warning(found, 'set the key of a provider, such as OPENAI_API_KEY, if it is not the one you want')
      : ok(found)
  }
})
