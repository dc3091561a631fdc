import type { ClientOptions } from '@modelcontextprotocol/client'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Booted } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { StageOptions } from '../../../test/model-stage.ts'
import { stage as modelStage } from '../../../test/model-stage.ts'

export { local, scripted } from '../../../test/model-stage.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A platform that is a tool server. */
export const stage = (t: Scope, { packs = [], tools = {}, ...options }: StageOptions = {}) =>
  modelStage(t, { ...options, tools, packs: ['mcp-server', ...packs] })

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
