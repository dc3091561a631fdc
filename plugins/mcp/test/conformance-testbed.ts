import type { Connection } from '../connections/connection.ts'
import { openConnection } from '../connections/connection.ts'
import type { Exchange } from '../connections/exchange.ts'
import { callTool } from '../connections/input-rounds.ts'
import { accessNeededOf } from '../connections/target.ts'
import { createServerCredentials } from '../services/credentials.ts'
import { createOauthFlow } from '../services/oauth-flow.ts'
import { createOauthTokens } from '../services/oauth-tokens.ts'
import type { ServerRow } from '../stores/servers.ts'

interface Context {
  readonly client_id?: string
  readonly client_secret?: string
}

/** A row, and what is sealed, in memory. */
function memory<T extends { id: string }>() {
  const rows = new Map<string, T>()
  return {
    find: async (id: string) => rows.get(id),
    put: async (key: string, row: T) => void rows.set(key, row),
    drop: async (key: string) => rows.delete(key)
  }
}

/** Network that is not guarded, for servers on this machine. */
const outgoing = {
  fetch: async (
    url: string | URL,
    { maxBytes: _, timeoutMs: __, ...init }: RequestInit & Record<string, unknown> = {}
  ) => fetch(url, init),
  check: (url: string) => new URL(url)
} as never

/** The pack's own client, with its stores in memory: connects to one server, authorized where that is asked for. */
export function createClient(address: string, { client_id: clientId, client_secret: secret }: Context = {}) {
  const server = {
    id: 'mcpserver_1',
    project: 'default',
    owner: 'ada',
    name: 'suite',
    transport: 'http',
    url: address,
    auth: { type: 'oauth', ...(clientId && { clientId }) },
    clientSecret: secret ?? null,
    generation: 1
  } as ServerRow
  const material = memory<never>()
  const requests = memory<never>()
  const authorizationStore = {
    find: () => material.find('one'),
    replace: (_: unknown, row: never) => material.put('one', row),
    takeLease: async () => true,
    removeLease: async () => undefined,
    insertRequest: (_: unknown, row: { id: string }) => requests.put(row.id, row as never),
    findRequest: (id: string) => requests.find(id),
    takeRequest: ({ id }: { id: string }) => requests.drop(id)
  } as never
  const asItIs = {
    seal: async (_: string, __: string, it: string) => it,
    open: async (_: string, __: string, it: string) => it
  }
  const vault = { ...asItIs, at: () => asItIs }
  const platform = { version: '0.0.0', baseUrl: 'https://conformance-test.local', production: false }
  const oauthTokens = createOauthTokens({ vault, outgoing, authorizationStore })
  const credentials = createServerCredentials({ tools: undefined as never, oauthTokens })
  const oauthFlow = createOauthFlow({
    vault,
    platform,
    outgoing,
    oauthTokens,
    authorizationStore,
    transaction: (work: (trx: never) => unknown) => work(undefined as never),
    facts: { record: async () => undefined },
    serverStore: { find: async () => server, take: async () => server, updateNoted: async () => undefined },
    clientSessions: { use: async () => undefined, ownerOf: async () => ({ id: 'ada' }) }
  } as never)

  const open = (): Promise<Connection> =>
    openConnection(
      {
        transport: 'http',
        name: 'suite',
        url: new URL(address),
        messageBytes: 1_000_000,
        redact: (said) => said,
        redactInTurns: async (said) => said,
        credential: {
          headers: async () => (await credentials.open(server, new URL(address))).headers,
          refused: (shown, challenge) => credentials.refused(server, shown, challenge)
        }
      },
      { outgoing: () => outgoing, platform, connectSeconds: 10, sample: undefined, changed: () => undefined }
    )

  /** As a browser whose user agrees to everything. */
  async function consent(error: unknown): Promise<void> {
    const challenge = accessNeededOf(error)
    if (!challenge) throw error
    if (challenge.status === 403 && challenge.scope) await oauthTokens.want(server, challenge.scope)
    const by = { id: 'ada', type: 'user' } as never
    const { authorizationUrl } = await oauthFlow.ask(by, server, challenge, false)
    const { headers } = await fetch(authorizationUrl, { redirect: 'manual' })
    const brought = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
    await oauthFlow.finish(brought, () => undefined)
  }

  /** What it gives, authorized before as often as need be, within reason. */
  async function allowed<T>(work: () => Promise<T>, times = 3): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (times === 0) throw error
      await consent(error)
      return allowed(work, times - 1)
    }
  }

  const call = (connection: Connection, name: string, args: object = {}, ask?: Exchange['ask']) =>
    connection.exchanges.run(
      { seconds: 10, late: () => new Error('late'), ...(ask && { ask }) },
      (exchange) =>
        callTool(
          connection,
          exchange,
          { name, arguments: { ...args } },
          { signal: exchange.signal },
          undefined
        )
    )
  return {
    open: () => allowed(open),
    call: (...order: Parameters<typeof call>) => allowed(() => call(...order))
  }
}
