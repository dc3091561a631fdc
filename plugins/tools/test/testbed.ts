import { join } from 'node:path'
import type { BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import type { StaticTool, ToolGate } from '../contract.ts'

export const PACKS = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools']

type Scope = Parameters<typeof boot>[0]

/** A platform whose agents act, and a model's server for those whose model is `scripted`. */
export async function stage(t: Scope, { env, packs = [], ...options }: BootOptions = {}) {
  const server = await startModelServer(t)
  const booted = await boot(t, {
    ...options,
    packs: [...PACKS, ...packs],
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url, OUTGOING_ALLOW: '127.0.0.0/8', ...env }
  })
  return { booted, server, ada: booted.as('ada') }
}

/** What the tools of the pack `puppet` do: `act` may be called once, `ask` again. */
export interface Play {
  act?: StaticTool['call']
  ask?: StaticTool['call']
  admit?: ToolGate['admit']
}

const puppetText = packText(
  'puppet',
  `contributes: {
    'tools.static': ['act', 'ask'].map((key) => ({
      key,
      make: () => ({
        description: 'Does it',
        parameters: { type: 'object', properties: { n: { type: 'integer' } } },
        idempotent: key === 'ask',
        call: async (call) => play()[key](call)
      })
    })),
    'tools.gate': [{ make: () => ({ admit: async (call) => play().admit?.(call) }) }]
  }`,
  `const play = () => globalThis[Symbol.for('test.tools.play')] ?? {}`
)

/** A stage with that pack on it. */
export async function puppetStage(t: Scope, options: BootOptions = {}) {
  const folder = await temporaryFolder(t)
  await writeFiles(join(folder, 'puppet'), { 'pack.ts': puppetText })
  const play: Play = {}
  Object.assign(globalThis, { [Symbol.for('test.tools.play')]: play })
  return {
    ...(await stage(t, { ...options, folders: [folder], packs: ['puppet', ...(options.packs ?? [])] })),
    play
  }
}

/** Gives a tool to an agent. */
export async function assign(client: Client, agent: { id: string }, toolId: string, fields: object = {}) {
  const { status, body } = await client.post(`/v1/agents/${agent.id}/tools`, { toolId, ...fields })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data as { id: string; toolId: string }
}

/** Registers tools, each under a name of its own. */
export function registering(own: Client) {
  let count = 0
  return async (client = own) => {
    const name = `tool_number_${++count}`
    const input = { name, description: 'Does it', config: { method: 'GET', url: 'https://example.com/x' } }
    const { status, body } = await client.post('/v1/tools', input)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data as { id: string; name: string }
  }
}
