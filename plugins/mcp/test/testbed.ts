import { randomUUID } from 'node:crypto'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { Call, ToolKind } from '../../tools/contract.ts'

const PACKS = ['access', 'packs', 'agents', 'models', 'sessions', 'jobs', 'outgoing', 'runs', 'tools', 'mcp']

/** A platform that may reach this machine; `more`: packs in addition to those that `mcp` needs. */
export const stage = (
  t: Parameters<typeof boot>[0],
  { env, ...options }: BootOptions = {},
  ...more: readonly string[]
): Promise<Booted> =>
  boot(t, {
    packs: [...PACKS, ...more],
    ...options,
    env: { OUTGOING_ALLOW: '127.0.0.0/8,localhost', MCP_CONNECT_SECONDS: '5', ...env }
  })

/** What a browser that is signed in sends by itself; needs the pack `console`. */
export async function signIn(client: Client): Promise<Record<'cookie' | 'sec-fetch-site', string>> {
  const { headers } = await client.post('/console/session', {})
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  return { cookie, 'sec-fetch-site': 'same-origin' }
}

let count = 0
/** A server registered by that client. */
export async function register(client: Client, fields: object) {
  const { status, body } = await client.post('/v1/mcp/servers', { name: `s${++count}`, ...fields })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data as { id: string; name: string; version: number }
}

/** The same, connected; gives its tools too. */
export async function connect(client: Client, fields: object) {
  const server = await register(client, fields)
  const path = `/v1/mcp/servers/${server.id}`
  const { status, body } = await client.post(`${path}/connect`)
  if (status !== 200 || body.data.status !== 'connected') throw new Error(`${status} ${JSON.stringify(body)}`)
  const tools = (await client.get(`${path}/tools?limit=100`)).body.data as {
    id: string
    name: string
    originalName: string
  }[]
  return { server, path, tools }
}

/** Calls one of its tools, by an agent of the client's that has it. */
export async function caller(
  client: Client,
  tools: readonly { id: string; name: string; originalName: string }[]
) {
  const agent = await client.agent()
  for (const { id: toolId } of tools) {
    const { status, body } = await client.post(`/v1/agents/${agent.id}/tools`, { toolId })
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  return async (name: string, args: object = {}) => {
    const toolName = tools.find(({ originalName }) => originalName === name)?.name
    return client.post('/v1/agents/tools', { agentId: agent.id, toolName, args })
  }
}

/** Calls a tool as the tools pack does, with whatever the call is told. */
export function direct({ platform }: Booted, tools: readonly { id: string; originalName: string }[]) {
  const kind = platform.server.current().packs.get('mcp')?.deps.mcpKind as ToolKind
  return (name: string, args: object = {}, options: Partial<Call> = {}) => {
    const id = tools.find(({ originalName }) => originalName === name)?.id ?? ''
    const tool = { project: 'default', owner: 'ada', id, name, config: {}, idempotent: false }
    const call: Call = {
      id: `call_${randomUUID()}`,
      by: { id: 'ada', type: 'user', project: 'default', owner: 'ada' } as Call['by'],
      agentId: 'agent_none',
      args: args as Call['args'],
      depth: 0,
      untrusted: false,
      signal: new AbortController().signal,
      secret: () => undefined,
      redact: async (said) => said,
      progress: () => undefined,
      ask: async () => ({ action: 'decline' }),
      used: () => undefined,
      ...options
    }
    return kind.call(tool, call, [])
  }
}
