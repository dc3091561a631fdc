import type {
  ClientCapabilities,
  ConnectOptions,
  InputRequest,
  InputResponse,
  Transport
} from '@modelcontextprotocol/client'
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import { elicit } from './eliciting.ts'
import type { Exchange, Exchanges } from './exchange.ts'
import { createExchanges, currentExchange, outsideExchanges } from './exchange.ts'
import { plain } from './faults.ts'
import { createServerFetch } from './fetching.ts'
import { guardIncoming } from './incoming.ts'
import type { Sample } from './sampling.ts'
import { createStdioTransport } from './stdio.ts'
import type { Target } from './target.ts'
import { causesOf } from './target.ts'

/** A server that was reached, and speaks. */
export interface Connection {
  readonly client: Client
  readonly exchanges: Exchanges
  readonly fulfil: Fulfil
  /** Undefined while it is open; then why it is not. */
  /** Whether the server gave it a session ID. */
  readonly hasSession: boolean
  readonly isClosed: () => boolean
  close(): Promise<void>
}

/** Answers what the server asks in the middle of a call; `resume` is how the call goes on in another process. */
export type Fulfil = (
  exchange: Exchange | undefined,
  request: InputRequest,
  resume?: unknown
) => Promise<InputResponse>

export interface Surroundings {
  /** Taken anew for each request: with other settings there is another one. */
  readonly outgoing: () => Outgoing
  readonly platform: { readonly version: string; readonly baseUrl: string }
  readonly connectSeconds: number
  /** Undefined where servers may not ask the model. */
  readonly sample: Sample | undefined
  /** Said by the server: it offers something else than before. */
  changed(): void
}

/** Connects to a server, whichever of the two protocols it speaks; what comes later does not depend on the request that asked. */
export const openConnection = (target: Target, around: Surroundings): Promise<Connection> =>
  outsideExchanges(() => open(target, around))

async function open(target: Target, around: Surroundings): Promise<Connection> {
  const exchanges = createExchanges(target.messageBytes)
  let closed = false
  let fault: unknown
  let close = async () => {}
  const fulfil = createFulfil(target, around)
  const client = createClient(target, around, exchanges, fulfil)
  client.onclose = () => {
    closed = true
  }
  /** What goes wrong beside a request ends them all, since their answers are not to be had any more. */
  const lost = (error?: unknown) => {
    if (error !== undefined) exchanges.fail(error)
    void close()
  }
  const transportOf = () => {
    const transport = makeTransport(target, around, exchanges, lost, (error) => (fault = error))
    guardIncoming(transport, {
      target,
      allowance: () => currentExchange()?.allowance ?? exchanges.allowance,
      receiving: (work) => currentExchange()?.receive(work),
      failed(error) {
        const exchange = currentExchange()
        if (exchange) exchange.fail(error)
        else lost(error)
      }
    })
    return transport
  }
  const timeout = around.connectSeconds * 1_000
  let transport = transportOf()
  close = async () => {
    closed = true
    await leave(client, transport)
  }
  const connect = (options: ConnectOptions) => client.connect(transport, { timeout, ...options })

  try {
    try {
      await connect({})
    } catch (error) {
      if (target.transport !== 'stdio' || !wasLeft(error)) throw error
      // Servers of the older protocol may leave when they are asked for the newer one first.
      closed = false
      transport = transportOf()
      await connect({ prior: { kind: 'legacy' } })
    }
  } catch (error) {
    closed = true
    await client.close().catch(() => undefined)
    await transport.close().catch(() => undefined)
    throw fault ?? error
  }
  // Without it changes of what the server offers stay unknown: the next request connects anew.
  void client.autoOpenedSubscription?.closed.then((how) => {
    if (how !== 'local') lost()
  })
  const hasSession = transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined
  return { client, exchanges, fulfil, hasSession, isClosed: () => closed, close }
}

const wasLeft = (error: unknown): boolean => /connection closed/i.test((error as Error)?.message)

const createFulfil =
  ({ name }: Target, { sample }: Surroundings): Fulfil =>
  async (exchange, { method, params }, resume) => {
    if (method === 'elicitation/create') return elicit(name, exchange, params, resume)
    if (method === 'sampling/createMessage' && sample) return sample(exchange, params)
    throw upstreamFailed(`MCP server ${name} sent an unsupported request (${method})`)
  }

function createClient(target: Target, around: Surroundings, exchanges: Exchanges, fulfil: Fulfil): Client {
  const { platform, sample, changed } = around
  const capabilities: ClientCapabilities = {
    elicitation: { form: { applyDefaults: true } },
    ...(sample && { sampling: {} })
  }
  const onChanged = { autoRefresh: false, debounceMs: 200, onChanged: changed }
  const client = new Client(
    { name: 'agent-platform', version: platform.version },
    {
      capabilities,
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs(target, around) } },
      // Values are checked by `examineValue`, which no schema of a server's holds up.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data, errorMessage: undefined }) as never
      },
      listChanged: { tools: onChanged, prompts: onChanged, resources: onChanged },
      inputRequired: { maxRounds: 10 }
    }
  )
  // Whatever goes wrong beside a request is of no consequence, or closes the connection.
  client.onerror = () => {}
  const ask = (request: InputRequest) => fulfil(exchanges.current(), request)
  client.setRequestHandler('elicitation/create', ask as never)
  if (sample) client.setRequestHandler('sampling/createMessage', ask as never)
  client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
    exchanges.current()?.progress(`[${level}] ${plain(text)}\n`)
  })
  return client
}

/** A server that is silent when asked for the newer protocol may speak the older one; time is kept for that. */
const probeMs = ({ transport }: Target, { connectSeconds }: Surroundings) =>
  transport === 'stdio' ? Math.min(5_000, connectSeconds * 500) : connectSeconds * 1_000

function makeTransport(
  target: Target,
  around: Surroundings,
  { allowance }: Exchanges,
  lost: (error?: unknown) => void,
  failed: (error: unknown) => void
): Transport {
  if (target.transport === 'stdio') return createStdioTransport(target, allowance, lost)
  const fetch = reported(createServerFetch(around.outgoing, target, allowance, lost), failed)
  return target.transport === 'sse'
    ? new SSEClientTransport(target.url, { fetch })
    : new StreamableHTTPClientTransport(target.url, {
        fetch,
        reconnectionOptions: {
          initialReconnectionDelay: 500,
          maxReconnectionDelay: 30_000,
          reconnectionDelayGrowFactor: 2,
          maxRetries: 5
        },
        // Servers say how long to wait; none says not at all.
        reconnectionScheduler(reconnect, delay) {
          const timer = setTimeout(reconnect, Math.min(Math.max(delay, 250), 60_000)).unref()
          return () => clearTimeout(timer)
        }
      })
}

type Fetch = ReturnType<typeof createServerFetch>

/** The same, which reports what it failed with: on its way through libraries the reason is lost. */
const reported =
  (fetch: Fetch, failed: (error: unknown) => void): Fetch =>
  async (...request) => {
    try {
      return await fetch(...request)
    } catch (error) {
      if (causesOf(error).some((it) => 'kind' in it || 'challenge' in it)) failed(error)
      throw error
    }
  }

const LEAVE_MS = 2_000

/** Tells the server that its session is over, where there is one. */
async function leave(client: Client, transport: Transport) {
  if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
    const ended = transport.terminateSession().catch(() => undefined)
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref())])
  }
  await client.close().catch(() => undefined)
}
