import { createServer } from 'node:http'
import type { AgentCard, Message, Part, Task } from '@a2a-js/sdk'
import { Role } from '@a2a-js/sdk'
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { A2AClient } from 'a2a-js'
import type { Booted } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { StageOptions } from '../../../test/model-stage.ts'
import { local, stage as modelStage } from '../../../test/model-stage.ts'

export { local, scripted } from '../../../test/model-stage.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A platform whose agents work for others. */
export const stage = (t: Scope, { packs = [], tools = {}, ...options }: StageOptions = {}) =>
  modelStage(t, { ...options, tools, packs: ['a2a', ...packs] })

/** An agent that is published. */
export async function published(client: Client, fields: object = local) {
  const agent = await client.agent(fields)
  const { status, text } = await client.put(`/v1/a2a/${agent.id}/publication`, {})
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return agent
}

let requests = 0
/** One request of JSON-RPC; what came back, and of a stream all of it. */
export async function call(
  client: Client,
  agent: { id: string },
  method: string,
  params: object = {},
  headers: Record<string, string> = {}
) {
  const id = ++requests
  const reply = await client.post(`/v1/a2a/${agent.id}`, { jsonrpc: '2.0', id, method, params }, headers)
  const frames = reply.text
    .split('\n\n')
    .filter((frame) => frame.includes('data: '))
    .map((frame) => ({
      seq: Number(/^id: (\d+)$/m.exec(frame)?.[1] ?? -1),
      ...JSON.parse(frame.slice(frame.indexOf('data: ') + 6))
    }))
  const { result, error } = reply.body ?? {}
  return { ...reply, id, result, error, frames }
}

/** Parameters of `message/send` that say something. */
export const saying = (text: string, message: object = {}, configuration: object = {}) => ({
  message: {
    kind: 'message',
    role: 'user',
    messageId: `m${++requests}`,
    parts: [{ kind: 'text', text }],
    ...message
  },
  configuration
})

/** Of an SDK of today, or one that speaks 0.3. */
export async function sdkClient({ url }: Booted, client: Client, agent: { id: string }, version = '1.0') {
  const authorization = `Bearer ${await client.key()}`
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', authorization)
    return fetch(input, { ...init, headers })
  }
  const transport = new JsonRpcTransportFactory({ fetchImpl, legacyCompat: { enabled: true } })
  const factory = new ClientFactory({ transports: [transport] })
  const card = (await client.get(`/v1/a2a/${agent.id}/.well-known`)).body as AgentCard
  const at = `${url}/v1/a2a/${agent.id}`
  const supportedInterfaces = card.supportedInterfaces
    .filter(({ protocolVersion }) => protocolVersion === version)
    .map((it) => ({ ...it, url: at, tenant: '' }))
  return factory.createFromAgentCard({ ...card, supportedInterfaces })
}

/** Of the first days: it knows neither cards with a version nor credentials of its own. */
export async function oldClient({ url }: Booted, client: Client, agent: { id: string }) {
  const authorization = `Bearer ${await client.key()}`
  return new A2AClient(`${url}/v1/a2a/${agent.id}`, (input: unknown, init?: RequestInit) =>
    fetch(input as string, { ...init, headers: { ...init?.headers, authorization } })
  )
}

export const message = (parts: Part[], fields: Partial<Message> = {}): Message => ({
  messageId: `m${++requests}`,
  contextId: '',
  taskId: '',
  role: Role.ROLE_USER,
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
  ...fields
})
export const text = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: ''
})
export const order = (it: Message) => ({
  tenant: '',
  message: it,
  configuration: undefined,
  metadata: undefined
})

/** The text of a task's answer. */
export const answerOf = ({ artifacts }: Pick<Task, 'artifacts'>): string =>
  artifacts
    .flatMap(({ parts }) => parts)
    .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
    .join('')

/** A server on this machine that records what it is sent. */
export async function listener(t: Scope, respond: (nth: number) => number = () => 204) {
  const received: { headers: Record<string, unknown>; body: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body: JSON.parse(body) })
      response.writeHead(respond(received.length)).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/told`, received }
}
