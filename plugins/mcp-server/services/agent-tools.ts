import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { Kernel, Principal } from 'agent-platform'
import { forbidden, invalid, typeOfId } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Run, Runs } from '../../runs/contract.ts'
import type { CallContext } from './call-context.ts'

export type AgentTools = ReturnType<typeof createAgentTools>

interface Deps extends Pick<Kernel, 'streams' | 'log'> {
  agents: Agents
  runs: Runs
}

/** The id is the end of the name, so that it is found whatever the agent is called meanwhile. */
const NAME = /^agent_(?:[a-z0-9-]{1,20}_)?([0-9a-z]{26})$/
const PAGE = 100
/** One of them is needed for what a run says, wherever it is asked. */
const READING = ['agents:read', 'agents:run']

const inputSchema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What the agent is told; needed unless runId is given' },
    sessionId: { type: 'string', description: 'Goes on with the conversation of an earlier result' },
    runId: {
      type: 'string',
      description: 'Fetches the result of a run that was begun before, and says nothing new'
    }
  },
  additionalProperties: false
} as const
const outputSchema = {
  type: 'object',
  properties: {
    runId: { type: 'string' },
    sessionId: { type: 'string' },
    status: { type: 'string', enum: ['completed', 'waiting', 'running', 'queued', 'failed', 'cancelled'] },
    content: { type: ['string', 'null'] },
    citations: { type: 'array', items: { type: 'object' }, description: 'Passages that content cites as [n]' }
  },
  required: ['runId', 'sessionId', 'status', 'content', 'citations']
} as const

/** The caller's agents, each as a tool that is told something and answers. */
export function createAgentTools({ agents, runs, streams, log }: Deps) {
  async function list(by: Principal, cursor: string | undefined) {
    if (!by.scopes.has('agents:run')) return { tools: [], nextCursor: null }
    const { data, nextCursor } = await agents.list(by, {
      limit: PAGE,
      ...(cursor !== undefined && { cursor })
    })
    return { tools: data.map(toolOf), nextCursor }
  }

  /** The id of the agent that is meant by a tool's name, if one is. */
  function idOf(name: string): string | undefined {
    const id = NAME.exec(name)?.[1]
    return id !== undefined && typeOfId(`agent_${id}`) === 'agent' ? `agent_${id}` : undefined
  }

  async function call(
    by: Principal,
    agentId: string,
    args: unknown,
    context: CallContext
  ): Promise<CallToolResult> {
    const { message, sessionId, runId } = argumentsOf(args)
    const run =
      runId === undefined
        ? await runs.start(by, {
            agentId,
            messages: [{ role: 'user', content: message ?? '' }],
            ...(sessionId !== undefined && { sessionId }),
            ...(context.run && { parent: context.run.id }),
            ...(context.key !== undefined && { key: context.key })
          })
        : await known(by, agentId, runId)
    const over = new AbortController()
    const following = follow(by, run, context, AbortSignal.any([context.signal, over.signal]))
    try {
      const ended = await runs.settled(by, run.id, context.signal)
      if (context.cancelled.aborted && ended.endedAt === null) await cancel(by, run.id)
      // Its stream has an end, which may still be on its way.
      if (ended.endedAt !== null) await following
      return outcomeOf(ended)
    } finally {
      over.abort()
      await following
    }
  }

  /** A run of that agent's which the principal may read. */
  async function known(by: Principal, agentId: string, runId: string): Promise<Run> {
    if (!READING.some((scope) => by.scopes.has(scope)))
      throw forbidden(`The credential lacks the scope ${READING.join(' or ')}`, { code: 'scope_missing' })
    const run = await runs.settled(by, runId, AbortSignal.abort())
    if (run.agentId !== agentId) throw invalid('/runId', 'The run is one of another agent')
    return run
  }

  async function cancel(by: Principal, runId: string): Promise<void> {
    // One that has ended meanwhile needs no end.
    await runs.cancel(by, runId).catch(() => undefined)
  }

  /** Reports what happens in the run, its id before anything else, to a client that asked for progress. Never rejects. */
  async function follow(
    { project }: Principal,
    run: Begun,
    context: CallContext,
    signal: AbortSignal
  ): Promise<void> {
    if (!context.isFollowed) return
    const { id: runId, sessionId } = run
    try {
      for await (const body of streams.follow(project, runId, -1, signal))
        for (const line of body.split('\n')) {
          const event = JSON.parse(line) as RunEvent
          const message = messageOf(event)
          if (message !== undefined) await context.progress(event.seq + 1, message, { runId, sessionId })
        }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, run: runId }, 'the progress of a run cannot be reported')
    }
  }

  return { list, idOf, call }
}

type Begun = Pick<Run, 'id' | 'sessionId'>

interface RunEvent {
  readonly type: string
  readonly runId: string
  readonly seq: number
  readonly step?: number
  readonly toolName?: string
  readonly status?: string
}

function messageOf({ type, runId, step, toolName, status }: RunEvent): string | undefined {
  if (type === 'run_started') return `${runId} began`
  if (type === 'agent_step') return `Step ${step}`
  if (type === 'toolStart') return `Calls ${toolName}`
  if (type === 'toolEnd') return `Called ${toolName}`
  if (type === 'approval_request') return `${toolName} has to be approved`
  if (type === 'status') return `The run is ${status}`
  return undefined
}

function toolOf({ id, name }: { id: string; name: string }): Tool {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 20)
    .replace(/^-|-$/g, '')
  return {
    name: `agent_${slug && `${slug}_`}${id.slice('agent_'.length)}`,
    title: name,
    description: `Tells the agent ${name} something, and gives its answer.`,
    inputSchema: { ...inputSchema },
    outputSchema: { ...outputSchema }
  }
}

function argumentsOf(args: unknown) {
  const given = Object.entries((args ?? {}) as Record<string, unknown>)
  for (const [name, value] of given) {
    if (!Object.hasOwn(inputSchema.properties, name))
      throw invalid(`/${name}`, `There is no argument ${name}`)
    if (typeof value !== 'string') throw invalid(`/${name}`, `${name} must be a string`)
  }
  const { message, sessionId, runId } = Object.fromEntries(given) as Record<string, string | undefined>
  if (runId !== undefined && (message !== undefined || sessionId !== undefined))
    throw invalid('/runId', 'runId cannot be combined with message or sessionId')
  if (runId === undefined && !message) throw invalid('/message', 'message or runId is required')
  return { message, sessionId, runId }
}

function outcomeOf(run: Run): CallToolResult {
  const { id: runId, sessionId, status, content, citations, error, pending } = run
  const waits = pending.map(({ toolName }) => toolName).join(', ')
  const text = {
    completed: content ?? '',
    failed: error?.message ?? 'The run failed',
    cancelled: 'The run was cancelled',
    waiting: `The run waits for a decision${waits && ` about ${waits}`}: afterwards call again with runId ${runId}`,
    running: `The run goes on: call again with runId ${runId}`,
    queued: `The run waits for another one of its session: call again with runId ${runId}`
  }[status]
  return {
    content: [{ type: 'text', text }],
    structuredContent: { runId, sessionId, status, content, citations },
    ...((status === 'failed' || status === 'cancelled') && { isError: true })
  }
}
