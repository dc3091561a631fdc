import type { ClientCapabilities, ConnectOptions, Transport } from '@modelcontextprotocol/client'
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Outgoing } from '../../outgoing/contract.ts'
import { elicit } from './eliciting.ts'
import type { Exchanges } from './exchange.ts'
import { createExchanges, outsideExchanges } from './exchange.ts'
import { plain } from './faults.ts'
import { createServerFetch } from './fetching.ts'
import type { Sample } from './sampling.ts'
import { createStdioTransport } from './stdio.ts'
import type { Target } from './target.ts'
import { causesOf } from './target.ts'
import { validator } from './validating.ts'

/** A server that was reached, and speaks. */
export interface Connection {
  readonly client: Client
  readonly exchanges: Exchanges
  /** Undefined while it is open; then why it is not. */
  readonly isClosed: () => boolean
  close(): Promise<void>
}

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

/** Connects to a server, whichever of the two protocols it speaks; whoever asked is not waited for by what comes later. */
export const openConnection = (target: Target, around: Surroundings): Promise<Connection> =>
  outsideExchanges(() => open(target, around))

async function open(target: Target, around: Surroundings): Promise<Connection> {
  const exchanges = createExchanges()
  let closed = false
  let fault: unknown
  let close = async () => {}
  const client = createClient(target, around, exchanges)
  client.onclose = () => {
    closed = true
  }
  const lost = () => void close()
  const transportOf = () => makeTransport(target, around, lost, (error) => (fault = error))
  const timeout = around.connectSeconds * 1_000
  let transport = transportOf()
  close = async () => {
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
  // Without it nobody says that what the server offers has changed: the next one who needs it connects anew.
  void client.autoOpenedSubscription?.closed.then((how) => {
    if (how !== 'local') lost()
  })
  return { client, exchanges, isClosed: () => closed, close }
}

const wasLeft = (error: unknown): boolean => /connection closed/i.test((error as Error)?.message)

function createClient(target: Target, around: Surroundings, exchanges: Exchanges): Client {
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
      jsonSchemaValidator: validator,
      listChanged: { tools: onChanged, prompts: onChanged, resources: onChanged },
      inputRequired: { maxRounds: 10 }
    }
  )
  // Whatever goes wrong beside a request is of no consequence, or closes the connection.
  client.onerror = () => {}
  client.setRequestHandler('elicitation/create', ({ params }) =>
    elicit(target.name, exchanges.current(), params)
  )
  if (sample)
    client.setRequestHandler('sampling/createMessage', ({ params }) => sample(exchanges.current(), params))
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
  lost: () => void,
  failed: (error: unknown) => void
): Transport {
  if (target.transport === 'stdio') return createStdioTransport(target)
  const fetch = told(createServerFetch(around.outgoing, target, lost), failed)
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

/** The same, which says what it failed with: on its way through libraries the reason is lost. */
const told =
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
    const told = transport.terminateSession().catch(() => undefined)
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref())])
  }
  await client.close().catch(() => undefined)
}
