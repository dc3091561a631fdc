import { setTimeout as delay } from 'node:timers/promises'
import type {
  CallToolRequest,
  CallToolRequestOptions,
  CallToolResult,
  InputRequest,
  InputRequiredResult,
  InputResponses
} from '@modelcontextprotocol/client'
import { isInputRequiredResult } from '@modelcontextprotocol/client'
import { upstreamFailed } from 'agent-platform'
import type { Resumed } from '../../tools/contract.ts'
import type { Connection } from './connection.ts'
import { resultOf } from './eliciting.ts'
import type { Exchange } from './exchange.ts'

/** How often one call may be answered by questions. */
const MOST_ROUNDS = 10
/** Before a call is made again that asks nothing. */
const PAUSE_MS = 250

/** A call that a server answered by questions: no request is under way, so that any process may go on with it. */
interface Round {
  readonly round: number
  /** Only the server reads it. */
  readonly requestState?: string
  /** What has yet to be asked; of a call that was resumed the first one is answered. */
  readonly requests: readonly (readonly [key: string, InputRequest])[]
  readonly responses: InputResponses
}

type Params = CallToolRequest['params']

/**
 * Calls a tool, and again with what it asks for, until it gives a result (2026-07-28). In older revisions servers ask
 * by requests of their own, on the connection.
 */
export async function callTool(
  { client, fulfil }: Connection,
  exchange: Exchange,
  params: Params,
  options: CallToolRequestOptions,
  resumed: Resumed | undefined
): Promise<CallToolResult> {
  let answered = resumed ? await gather(resumed.resume as Round, resumed) : undefined
  for (;;) {
    const { round = 0, requestState, responses = {} } = answered ?? {}
    const result: CallToolResult | InputRequiredResult = await client.callTool(
      {
        ...params,
        ...(Object.keys(responses).length > 0 && { inputResponses: responses }),
        ...(requestState !== undefined && { requestState })
      } as Params,
      { ...options, allowInputRequired: true }
    )
    if (!isInputRequiredResult(result)) return result
    if (round === MOST_ROUNDS) throw upstreamFailed('The server asks too many questions')
    const { inputRequests = {}, requestState: state } = result
    const requests = Object.entries(inputRequests).sort(([, a], [, b]) => rank(a) - rank(b))
    if (requests.length === 0) await delay(PAUSE_MS, undefined, { signal: exchange.signal })
    const asked = { round: round + 1, requests, responses: {} }
    answered = await gather({ ...asked, ...(state !== undefined && { requestState: state }) })
  }

  /** All that a round asks for. People come last: while they are asked there is nothing that could be lost. */
  async function gather({ requests, responses, ...about }: Round, first?: Resumed): Promise<Round> {
    const all = { ...responses }
    for (const [at, [key, request]] of requests.entries()) {
      const asking = { ...about, requests: requests.slice(at), responses: { ...all } }
      const isAnswered = at === 0 && first && request.method === 'elicitation/create'
      all[key] = isAnswered ? resultOf(request.params, first.answer) : await fulfil(exchange, request, asking)
    }
    return { ...about, requests: [], responses: all }
  }
}

const rank = ({ method }: InputRequest): number => (method === 'elicitation/create' ? 1 : 0)
