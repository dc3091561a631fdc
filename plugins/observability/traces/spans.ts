import { hash } from 'node:crypto'
import { readTraceparent, spanIdOf, traceIdOf } from 'agent-platform'
import type { RecordedCall, RunRecord, Usage } from '../../runs/contract.ts'
import type { Span, Trace } from '../schemas/traces.ts'
import type { Times } from './times.ts'

type Attributes = Span['attributes']

/** Of a run: what its caller named in `traceparent`, else made of its id. */
function contextOf({ id, request }: Pick<RunRecord, 'id' | 'request'>) {
  const spanId = spanIdOf(id)
  const given = readTraceparent(request.traceparent)
  if (given) return { traceId: given.traceId, parentSpanId: given.spanId, spanId }
  const root = request.root ?? id
  return { traceId: traceIdOf(root), parentSpanId: root === id ? null : spanIdOf(root), spanId }
}

const stepSpanId = (runId: string, step: number): string => hash('sha256', `${runId}/${step}`).slice(0, 16)

/** A run as the spans of OpenTelemetry's conventions for generative AI: itself, calls of its model, calls of tools. */
export function traceOf(run: RunRecord, times: Times, agentName: string | undefined, isFull: boolean): Trace {
  const { id: runId, owner, sessionId, agentId, status, createdAt: startedAt, endedAt, error } = run
  const { traceId, parentSpanId, spanId } = contextOf(run)
  const model = run.modelId ?? undefined
  const provider = run.modelProvider ?? undefined
  const root = span({
    ...{ spanId, parentSpanId, kind: 'server', startedAt, endedAt },
    name: `invoke_agent ${agentName ?? agentId}`,
    error: status === 'failed' ? (error?.code ?? 'error') : status === 'cancelled' ? 'cancelled' : undefined,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agentId,
      'gen_ai.agent.name': agentName,
      'gen_ai.conversation.id': sessionId,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      ...usageAttributes(run.usage),
      'agent_platform.run.id': runId,
      'agent_platform.run.status': status,
      'agent_platform.reply.size': run.content === null ? undefined : Buffer.byteLength(run.content),
      'gen_ai.output.messages': isFull ? textMessage(run.content) : undefined
    },
    events: times.told.map(({ name, at, attributes }) => ({ name, at, attributes: attributes as Attributes }))
  })
  const steps = stepsOf(run, times).map((it) => modelSpan(it, run, spanId, isFull))
  const calls = run.calls.map((call) => toolSpan(call, times, spanId, isFull, startedAt))
  const spans = [root, ...[...steps, ...calls].sort((a, b) => compare(a.startedAt, b.startedAt))]
  const milliseconds = millisecondsOf(startedAt, endedAt)
  return { traceId, runId, sessionId, agentId, owner, status, startedAt, endedAt, milliseconds, spans }
}

interface Step {
  readonly step: number
  readonly startedAt: string
  readonly endedAt: string | null
  readonly firstAt: string | undefined
  readonly usage: Usage | undefined
  readonly attempts: number
  readonly parts: readonly object[] | undefined
  readonly reason: string | undefined
}

/** A call of the model ends when its first tool begins, the next step does or the run ends. */
function stepsOf(run: RunRecord, { steps, calls }: Times): Step[] {
  const usages = new Map(run.replies.map((reply) => [reply.step, reply]))
  return [...Map.groupBy(steps, ({ step }) => step)].map(([step, tries]) => {
    const [first, last] = [tries[0], tries.at(-1)]
    const reply = usages.get(step)
    const own = run.calls.filter((call) => call.step === step).flatMap(({ id }) => calls.get(id) ?? [])
    const next = steps.find((it) => it.step > step)?.at
    const endedAt = own.toSorted(compare)[0] ?? next ?? run.endedAt
    return {
      step,
      startedAt: first?.at ?? run.createdAt,
      endedAt,
      firstAt: last?.firstAt,
      usage: reply?.usage ?? (next === undefined ? lastUsage(run) : undefined),
      attempts: tries.length,
      parts: reply?.parts,
      reason: reply?.finishReason ?? undefined
    }
  })
}

/** What the finished steps do not have of the whole. */
function lastUsage({ usage, replies }: RunRecord): Usage | undefined {
  if (!usage) return undefined
  const left = { ...usage }
  for (const reply of replies)
    for (const name of ['inputTokens', 'cachedTokens', 'outputTokens'] as const)
      left[name] -= reply.usage[name]
  return left
}

/** The model of a step: a run may go on with another one. */
function answering(run: RunRecord, step: number): Pick<RunRecord, 'modelProvider' | 'modelId'> {
  const later = run.fallbacks?.find((it) => it.step > step)
  return later?.from ?? run
}

function modelSpan(it: Step, run: RunRecord, parentSpanId: string, isFull: boolean): Span {
  const { step, startedAt, endedAt, firstAt, usage, attempts, parts, reason } = it
  const switches = run.fallbacks?.filter((it) => it.step === step) ?? []
  const { modelProvider, modelId } = answering(run, step)
  const model = modelId ?? undefined
  const isLast = parts === undefined
  return span({
    ...{ spanId: stepSpanId(run.id, step), parentSpanId, kind: 'client', startedAt, endedAt },
    name: model === undefined ? 'chat' : `chat ${model}`,
    error: isLast && run.status === 'failed' ? (run.error?.code ?? 'error') : undefined,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': modelProvider ?? undefined,
      'gen_ai.request.model': model,
      'gen_ai.conversation.id': run.sessionId,
      ...usageAttributes(usage),
      'gen_ai.response.finish_reasons': isLast
        ? run.status === 'completed'
          ? [run.finishReason ?? 'stop']
          : undefined
        : [reason ?? 'tool_calls'],
      'gen_ai.response.time_to_first_chunk':
        firstAt === undefined ? undefined : (millisecondsOf(startedAt, firstAt) ?? 0) / 1_000,
      'gen_ai.output.messages': isFull
        ? parts
          ? JSON.stringify(parts)
          : textMessage(run.content)
        : undefined,
      'agent_platform.step': step,
      'agent_platform.attempts': attempts,
      'agent_platform.fallback.reason': switches.at(-1)?.reason,
      'agent_platform.fallback.from': switches
        .map(({ from }) => `${from.modelProvider}/${from.modelId}`)
        .at(-1)
    },
    events: firstAt === undefined ? [] : [{ name: 'gen_ai.first_chunk', at: firstAt, attributes: {} }]
  })
}

function toolSpan(
  call: RecordedCall,
  { calls }: Times,
  parentSpanId: string,
  isFull: boolean,
  runStartedAt: string
): Span {
  const { id, step, toolName, args, output, isError, endedAt } = call
  const [given, said] = [JSON.stringify(args ?? null), JSON.stringify(output ?? null)]
  return span({
    ...{ spanId: spanIdOf(id), parentSpanId, kind: 'internal', endedAt },
    startedAt: calls.get(id) ?? endedAt ?? runStartedAt,
    name: `execute_tool ${toolName}`,
    error: isError ? 'tool_error' : undefined,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': toolName,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.arguments': isFull ? given : undefined,
      'gen_ai.tool.call.result': isFull && endedAt !== null ? said : undefined,
      'agent_platform.step': step,
      'agent_platform.arguments.size': Buffer.byteLength(given),
      'agent_platform.result.size': endedAt === null ? undefined : Buffer.byteLength(said)
    },
    events: []
  })
}

interface Given extends Omit<Span, 'milliseconds' | 'status' | 'attributes'> {
  readonly error: string | undefined
  readonly attributes: Readonly<Record<string, Attributes[string] | undefined>>
}

function span({ error, attributes, ...rest }: Given): Span {
  const told: Record<string, Attributes[string]> = {}
  for (const [key, value] of Object.entries({ ...attributes, 'error.type': error }))
    if (value !== undefined) told[key] = value
  return {
    ...rest,
    milliseconds: millisecondsOf(rest.startedAt, rest.endedAt),
    status: error !== undefined ? 'error' : rest.endedAt === null ? 'unset' : 'ok',
    attributes: told
  }
}

const usageAttributes = (usage: Usage | null | undefined) => ({
  'gen_ai.usage.input_tokens': usage?.inputTokens,
  'gen_ai.usage.output_tokens': usage?.outputTokens,
  'gen_ai.usage.cache_read.input_tokens': usage?.cachedTokens,
  'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens
})
const textMessage = (content: string | null) =>
  content === null ? undefined : JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content }] }])
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const millisecondsOf = (from: string, to: string | null): number | null =>
  to === null ? null : Math.max(0, new Date(to).getTime() - new Date(from).getTime())
