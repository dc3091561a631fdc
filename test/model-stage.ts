import type { BootOptions } from './boot.ts'
import { boot } from './boot.ts'
import type { ModelServerOptions } from './model-server.ts'
import { startModelServer } from './model-server.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface StageOptions extends BootOptions, ModelServerOptions {}

const packs = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs']

/** A platform that runs agents, and a model's server for agents whose model is `scripted`. */
export async function stage(t: Scope, { env, packs: more = [], ...options }: StageOptions = {}) {
  const server = await startModelServer(t, options)
  const booted = await boot(t, {
    ...options,
    packs: [...packs, ...more],
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url, ...env }
  })
  return { booted, server, ada: booted.as('ada') }
}

/** A model that says and breaks what the script asks for; see `test/model-server/script.ts`. */
export const scripted = (script = '') => ({
  modelProvider: 'openai-compatible',
  modelId: `mock?${script}`
})
