import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart
} from '@ai-sdk/provider'
import type { Kernel } from 'agent-platform'
import { upstreamFailed } from 'agent-platform'
import type { Model, Parts } from '../../models/contract.ts'
import type { ExecutedStep, Executor, RunInfo } from '../../runs/contract.ts'
import type { TurnMessage } from '../schemas/protocol.ts'
import type { RuntimeStore } from '../stores/runtimes.ts'
import type { Supervision } from './supervision.ts'
import type { Turns } from './turns.ts'

export type RuntimeExecutor = ReturnType<typeof createRuntimeExecutor>

/** Signal: whether an agent has a runtime that was deployed. */
const DEPLOYED = 'runtimes.deployed'
/** A lost signal is noticed by then. */
const BELIEVE_MS = 30_000

interface Deps extends Pick<Kernel, 'remembered' | 'streams' | 'log'> {
  runtimeStore: RuntimeStore
  turns: Turns
  supervision: Supervision
}

/** Has the steps of an agent's runs answered by its runtime: to a run it looks like a model, which is slow to wake. */
export function createRuntimeExecutor({ remembered, streams, log, runtimeStore, turns, supervision }: Deps) {
  const deployed = remembered(
    DEPLOYED,
    async (key) => {
      const [project = '', agentId = ''] = JSON.parse(key)
      const row = await runtimeStore.find({ project, agentId })
      return row && row.desired !== 'off' ? row.id : undefined
    },
    BELIEVE_MS
  )
  const keyOf = (project: string, agentId: string) => JSON.stringify([project, agentId])

  async function ask(run: RunInfo, at: ExecutedStep, options: LanguageModelV4CallOptions): Promise<Parts> {
    const { project, agentId, sessionId } = run
    const tools = (options.tools ?? []).flatMap((tool) =>
      tool.type === 'function'
        ? {
            name: tool.name,
            ...(tool.description !== undefined && { description: tool.description }),
            parameters: tool.inputSchema
          }
        : []
    )
    const body = { sessionId, messages: messagesOf(options.prompt), tools }
    const { turn, isWanting } = await turns.begin(run, at, body)
    if (isWanting) supervision.awakenSoon({ project, agentId })
    const left = new AbortController()
    const bodies = streams.follow(project, turn.id, 0, left.signal)[Symbol.asyncIterator]()
    const parts = createParts()
    let isOver = false
    return {
      async next() {
        if (isOver) return undefined
        const { done, value } = await bodies.next()
        if (left.signal.aborted) return undefined
        if (done) {
          isOver = true
          throw upstreamFailed('The runtime of the agent is gone', { code: 'runtime_lost' })
        }
        try {
          const came = value.split('\n').flatMap((line: string) => parts(JSON.parse(line)))
          isOver = came.some(({ type }: LanguageModelV4StreamPart) => type === 'finish')
          return came
        } catch (error) {
          isOver = true
          throw error
        }
      },
      leave() {
        const isLeft = left.signal.aborted
        left.abort()
        void bodies.return?.(undefined).catch(() => undefined)
        // Another process goes on with the run, and finds what was answered.
        const { reason } = options.abortSignal ?? {}
        const isHandedOver = (reason as { code?: string } | undefined)?.code === 'handed_over'
        if (isOver || isLeft || isHandedOver) return
        turns
          .cancel(turn)
          .catch((error) => log.warn({ err: error, turn: turn.id }, 'A turn was not cancelled'))
      }
    }
  }

  const executor: Executor = {
    async model(run, at): Promise<Model | undefined> {
      const id = await deployed.of(keyOf(run.project, run.agentId))
      if (id === undefined) return undefined
      const doParts = (options: LanguageModelV4CallOptions) => ask(run, at, options)
      const never = () => Promise.reject(new Error('A runtime answers in parts'))
      return {
        modelProvider: 'runtime',
        modelId: id,
        name: 'Runtime',
        contextTokens: null,
        outputTokens: null,
        inputModalities: ['text'],
        languageModel: {
          specificationVersion: 'v4',
          provider: 'runtime',
          modelId: id,
          supportedUrls: {},
          doGenerate: never,
          doStream: never,
          doParts
        }
      }
    }
  }

  return {
    executor,
    /** After the commit of a change. */
    changed: (project: string, agentId: string): void => deployed.changed(keyOf(project, agentId)),
    end: (): void => deployed[Symbol.dispose]()
  }
}

/** What the events of a turn are to a run; throws where they say that it failed. */
function createParts() {
  let thought = 0
  let hasCalls = false
  return (event: Record<string, unknown>): LanguageModelV4StreamPart[] => {
    const { type } = event
    if (type === 'token') {
      const delta = String(event.content)
      if (event.phase !== 'commentary') return [{ type: 'text-delta', id: 'answer', delta }]
      const id = `thought-${++thought}`
      return [
        { type: 'reasoning-start', id },
        { type: 'reasoning-delta', id, delta },
        { type: 'reasoning-end', id }
      ]
    }
    if (type === 'call') {
      hasCalls = true
      const input = JSON.stringify(event.args ?? {})
      return [
        { type: 'tool-call', toolCallId: String(event.callId), toolName: String(event.toolName), input }
      ]
    }
    if (type === 'end') return [finishOf(event.usage as Counts | undefined, hasCalls)]
    if (type === 'error')
      throw upstreamFailed(`The runtime failed: ${String(event.message).slice(0, 1_000)}`, {
        code: 'runtime_error'
      })
    if (type === 'lost') throw upstreamFailed(String(event.message), { code: String(event.code) })
    return []
  }
}

interface Counts {
  readonly inputTokens?: number
  readonly cachedTokens?: number
  readonly outputTokens?: number
}

const finishOf = (counts: Counts = {}, hasCalls: boolean): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified: hasCalls ? 'tool-calls' : 'stop', raw: undefined },
  usage: {
    inputTokens: {
      total: counts.inputTokens,
      noCache: undefined,
      cacheRead: counts.cachedTokens,
      cacheWrite: undefined
    },
    outputTokens: { total: counts.outputTokens, text: undefined, reasoning: undefined }
  }
})

/** A prompt, without what belongs to providers of models. */
function messagesOf(prompt: LanguageModelV4Prompt): TurnMessage[] {
  return prompt.flatMap((message): TurnMessage[] => {
    const { role, content } = message
    if (typeof content === 'string') return [{ role, content }]
    if (role === 'tool')
      return content.flatMap((part) => {
        if (part.type !== 'tool-result') return []
        const { toolCallId: callId, toolName, output } = part
        const isError = output.type === 'error-text' || output.type === 'error-json'
        const value = 'value' in output ? output.value : ''
        return {
          role,
          content: typeof value === 'string' ? value : JSON.stringify(value),
          callId,
          toolName,
          isError
        }
      })
    const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
    const calls = content.flatMap((part) =>
      part.type === 'tool-call' ? { callId: part.toolCallId, toolName: part.toolName, args: part.input } : []
    )
    return [{ role: role as 'user', content: text, ...(calls.length > 0 && { toolCalls: calls }) }]
  })
}
