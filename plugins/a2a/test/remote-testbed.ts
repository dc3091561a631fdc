import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AgentCard } from '@a2a-js/sdk'
import { generateAgentCardSignature, Role, TaskState } from '@a2a-js/sdk'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import type { AgentExecutor } from '@a2a-js/sdk/server'
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext
} from '@a2a-js/sdk/server'
import { exportJWK, generateKeyPair } from 'jose'

interface Scope {
  teardown(work: () => unknown): unknown
}

const part = (value: string) => ({
  content: { $case: 'text' as const, value },
  metadata: undefined,
  filename: '',
  mediaType: ''
})

/** What an agent of the kit does with a message: the words say it. */
export function createExecutor() {
  const cancelled: string[] = []
  const messages: string[] = []
  const stopped = Promise.withResolvers<void>()
  let told = () => {}
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      const [first] = userMessage.parts
      const said = first?.content?.$case === 'text' ? first.content.value : ''
      messages.push(said)
      const status = (state: TaskState, text?: string) => ({
        state,
        timestamp: new Date().toISOString(),
        message: text
          ? {
              messageId: `s-${messages.length}`,
              contextId,
              taskId,
              role: Role.ROLE_AGENT,
              parts: [part(text)],
              metadata: undefined,
              extensions: [],
              referenceTaskIds: []
            }
          : undefined
      })
      const update = (state: TaskState, text?: string) =>
        bus.publish(
          AgentEvent.statusUpdate({ taskId, contextId, status: status(state, text), metadata: undefined })
        )
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_SUBMITTED),
          artifacts: [],
          history: [userMessage],
          metadata: undefined
        })
      )
      update(TaskState.TASK_STATE_WORKING, 'On it')
      // Until it is cancelled.
      if (said === 'forever') return stopped.promise
      if (said === 'ask') update(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which city?')
      else if (said === 'fail') update(TaskState.TASK_STATE_FAILED, 'It rained')
      else {
        const file = {
          ...part(''),
          content: { $case: 'raw' as const, value: Buffer.from('a') },
          filename: 'a.txt'
        }
        const parts = [
          part(`Heard: ${said}`),
          { ...part(''), content: { $case: 'data' as const, value: { ok: true } } },
          ...(said === 'files' ? Array.from({ length: 60 }, () => file) : [])
        ]
        const artifact = {
          artifactId: 'a',
          name: 'a',
          description: '',
          parts,
          metadata: undefined,
          extensions: []
        }
        bus.publish(
          AgentEvent.artifactUpdate({
            taskId,
            contextId,
            artifact,
            append: false,
            lastChunk: true,
            metadata: undefined
          })
        )
        update(TaskState.TASK_STATE_COMPLETED)
      }
      bus.finished()
    },
    async cancelTask(taskId, bus) {
      cancelled.push(taskId)
      told()
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId: '',
          status: {
            state: TaskState.TASK_STATE_CANCELED,
            timestamp: new Date().toISOString(),
            message: undefined
          },
          metadata: undefined
        })
      )
      bus.finished()
      stopped.resolve()
    }
  }
  const onCancel = (hear: () => void) => {
    told = hear
  }
  return { executor, cancelled, messages, onCancel }
}

interface Manner {
  readonly signed?: boolean
  readonly tampered?: boolean
  /** What it speaks. */
  readonly version?: '1.0' | '0.3'
  /** Others get a 401. */
  readonly admit?: (headers: IncomingHttpHeaders) => boolean
}

/** An agent elsewhere, by the protocol's own kit. */
export async function remoteAgent(t: Scope, manner: Manner = {}) {
  const { signed = false, tampered = false, version = '1.0', admit = () => true } = manner
  const { executor, cancelled, messages, onCancel } = createExecutor()
  const headers: Record<string, unknown>[] = []
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const plain = {
    name: 'Weather Bureau',
    description: 'Knows the weather',
    version: '1',
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }
    ],
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'forecast',
        name: 'Forecast',
        description: 'Says what comes',
        tags: ['weather'],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: []
      }
    ],
    provider: undefined,
    securitySchemes: {},
    securityRequirements: [],
    signatures: []
  } satisfies AgentCard
  const header = { alg: 'ES256', kid: 'k1', typ: 'JOSE', jku: `${url}/keys` }
  const card = signed ? await generateAgentCardSignature(privateKey, header)(plain) : plain
  const shown = tampered ? { ...card, description: 'Knows better' } : card
  const { name, description, capabilities, skills } = plain
  const oldCard = { name, description, url, protocolVersion: '0.3.0', capabilities, skills, version: '1' }
  const requests = new DefaultRequestHandler(plain, new InMemoryTaskStore(), executor)
  const handler =
    version === '0.3' ? new LegacyJsonRpcTransportHandler(requests) : new JsonRpcTransportHandler(requests)
  server.on('request', async (request, response) => {
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/card') return json(version === '0.3' ? oldCard : shown)
    if (request.url === '/keys') return json({ keys: [jwk] })
    headers.push(request.headers)
    if (!admit(request.headers)) return response.writeHead(401).end()
    let body = ''
    for await (const piece of request) body += piece
    const context = new ServerCallContext({ requestedVersion: version } as never)
    const answer = await handler.handle(JSON.parse(body), context)
    if (!(Symbol.asyncIterator in answer)) return json(answer)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for await (const event of answer) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  return { cardUrl: `${url}/card`, host: new URL(url).host, cancelled, messages, headers, onCancel }
}

/** A server that answers every request so. */
export async function liar(
  t: Scope,
  respond: (request: { url?: string | undefined }, response: import('node:http').ServerResponse) => void
) {
  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
