import { join } from 'node:path'
import type { StaticTool } from '../plugins/tools/contract.ts'
import type { BootOptions } from './boot.ts'
import { boot } from './boot.ts'
import type { ModelServerOptions } from './model-server.ts'
import { startModelServer } from './model-server.ts'
import { packText, temporaryFolder, writeFiles } from './pack-folders.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface StageOptions extends BootOptions, ModelServerOptions {
  /** Static tools of the test's own. */
  readonly tools?: Readonly<Record<string, StaticTool>>
}

const packs = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs']

/** A platform that runs agents, and a model's server for agents whose model is `scripted`. */
export async function stage(t: Scope, { env, packs: more = [], tools, ...options }: StageOptions = {}) {
  const server = await startModelServer(t, options)
  const booted = await boot(t, {
    ...options,
    ...(tools && { folders: [await folderOf(t, tools)] }),
    packs: [...packs, ...(tools ? ['tools', 'props'] : []), ...more],
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url, ...env }
  })
  return { booted, server, ada: booted.as('ada'), eve: booted.as('eve') }
}

const place = 'test.tools'

/** With a pack that contributes them. */
async function folderOf(t: Scope, tools: Readonly<Record<string, StaticTool>>): Promise<string> {
  const folder = await temporaryFolder(t)
  const contributions = Object.keys(tools).map(
    (name) => `{ key: '${name}', make: () => globalThis[Symbol.for('${place}')]['${name}'] }`
  )
  Object.assign(globalThis, { [Symbol.for(place)]: tools })
  await writeFiles(join(folder, 'props'), {
    'pack.ts': packText('props', `contributes: { 'tools.static': [${contributions.join(', ')}] }`)
  })
  return folder
}

/** A model that says and breaks what the script asks for; see `test/model-server/script.ts`. */
export const scripted = (script = '') => ({ modelProvider: 'openai-compatible', modelId: `mock?${script}` })
/** The built-in model, which does what its user's messages tell it to. */
export const local = { modelProvider: 'local' }
