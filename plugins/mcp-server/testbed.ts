import { join } from 'node:path'
import type { ClientOptions } from '@modelcontextprotocol/client'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Booted, BootOptions } from '../../test/boot.ts'
import { boot } from '../../test/boot.ts'
import type { Client } from '../../test/client.ts'
import type { ModelServerOptions } from '../../test/model-server.ts'
import { startModelServer } from '../../test/model-server.ts'
import { packText, temporaryFolder, writeFiles } from '../../test/pack-folders.ts'
import type { StaticTool } from '../tools/contract.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

interface StageOptions extends BootOptions, ModelServerOptions {
  /** Static tools of the test's own. */
  readonly tools?: Readonly<Record<string, StaticTool>>
}

const packs = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools', 'mcp-server']
const place = 'test.mcp-server.tools'

/** A platform that is a tool server, and a model's server for agents whose model is `scripted`. */
export async function stage(t: Scope, { env, tools = {}, ...options }: StageOptions = {}) {
  const server = await startModelServer(t, options)
  const folder = await temporaryFolder(t)
  const contributions = Object.keys(tools).map(
    (name) => `{ key: '${name}', make: () => globalThis[Symbol.for('${place}')]['${name}'] }`
  )
  Object.assign(globalThis, { [Symbol.for(place)]: tools })
  await writeFiles(join(folder, 'props'), {
    'pack.ts': packText('props', `contributes: { 'tools.static': [${contributions.join(', ')}] }`)
  })
  const booted = await boot(t, {
    ...options,
    folders: [folder],
    packs: [...packs, 'props', ...(options.packs ?? [])],
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url, ...env }
  })
  return { booted, server, ada: booted.as('ada'), eve: booted.as('eve') }
}

/** A model that says and breaks what the script asks for; see `test/model-server/script.ts`. */
export const scripted = (script = '') => ({ modelProvider: 'openai-compatible', modelId: `mock?${script}` })
export const local = { modelProvider: 'local' }

export type Era = 'sessions' | 'stateless'
const negotiation: Record<Era, ClientOptions> = {
  sessions: { versionNegotiation: { mode: 'legacy' } },
  stateless: { versionNegotiation: { mode: { pin: '2026-07-28' } } }
}

/** A tool client of that principal's, in one of the protocol's two eras. */
export async function connect(t: Scope, { url }: Booted, client: Client, era: Era, query = '') {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/v1/mcp${query}`), {
    requestInit: { headers: { authorization: `Bearer ${await client.key()}` } }
  })
  const mcp = new McpClient({ name: 'test', version: '1' }, negotiation[era])
  await mcp.connect(transport)
  t.teardown(() => mcp.close())
  return mcp
}

/** One message, without a client in between; `message` is what came back as the last one. */
export async function send(
  client: Client,
  body: object,
  headers: Record<string, string> = {},
  { query = '' }: { query?: string } = {}
) {
  const accept = 'application/json, text/event-stream'
  const reply = await client.post(`/v1/mcp${query}`, body, { accept, ...headers })
  const last = [...reply.text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1]
  return { ...reply, message: last === undefined ? reply.body : JSON.parse(last) }
}
