import { setTimeout as delay } from 'node:timers/promises'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Kernel } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Model, Models, Parts } from '../../models/contract.ts'
import type { Tool } from '../contract.ts'
import { infoOf } from '../run-info.ts'
import type { RunSettings } from '../settings.ts'
import { checkSpend } from '../start/gates.ts'
import { correctionMessages } from './answer-repair.ts'
import type { Answering } from './answering.ts'
import { callOptionsOf, joinedOptions, limitsOf } from './call-options.ts'
import { lengthOfPrompt, tokensOfRequest } from './context-budget.ts'
import type { ContextLimits } from './context-limits.ts'
import { modelFailure, RunFailure } from './failures.ts'
import { choiceOf, isRetried } from './fallbacks.ts'
import type { Live } from './live-runs.ts'
import { partsOf } from './model-parts.ts'
import { createModelPatience } from './model-patience.ts'
import { createModelRetries } from './model-retries.ts'
import { callOf } from './next-call.ts'
import type { Output } from './output.ts'
import { createOutput } from './output.ts'
import { cacheKey } from './prompt-cache.ts'
import type { Prompts } from './prompts.ts'
import type { Answer } from './reply-collector.ts'
import { collect } from './reply-collector.ts'
import { originOf } from './reply-origin.ts'
import { samplingOf } from './sampling.ts'
import { completed, guessOf, usageOf } from './usage.ts'

export type ModelStep = ReturnType<typeof createModelStep>

/** Readers saw a part of it. */
const NOT_AGAIN = { afterMs: undefined, tooLong: false } as const
/** How often a prompt is shortened for one reply, where providers report no sizes. */
const MOST_REJECTIONS = 4

interface Deps extends Pick<Kernel, 'points'> {
  agents: Agents
  models: Models
  settings: RunSettings
  answering: Answering
  prompts: Prompts
  contextLimits: ContextLimits
}

/** Asks the model for the next reply of a run. */
export function createModelStep(deps: Deps) {
  const { points, settings, agents, models, answering, prompts, contextLimits } = deps

  /** Rejects with the signal's reason once that is aborted. */
  async function ask(live: Live, tools: Map<string, Tool>, cut: AbortController): Promise<Answer> {
    const { run, by, profile, writer } = live
    checkSpend(points, infoOf(run, by))
    for (const { value } of points.all('runs.gate')) await value.step?.(infoOf(run, by))
    const at = { step: live.steps.length + 1, attempt: run.attempt }
    const model = live.resolved ?? (await answering(infoOf(run, by), at, run.request.model, choiceOf(live)))
    live.resolved = undefined
    live.model = nameOf(model)
    live.isExecuted = model.isExecutor === true
    const { maxTokens } = samplingOf(profile.agent, run.request.sampling)
    const { prompt, offered } = await prompts.build(live, model, tools, cut.signal)
    const asked = callOptionsOf(live, model, offered)
    if (live.correction) prompt.push(...correctionMessages(live.correction))
    const estimated = tokensOfRequest(prompt, offered)
    for (const { value } of points.all('runs.gate')) {
      if (!value.further) continue
      const next = callOf(model, maxTokens, lengthOfPrompt(prompt))
      if (value.covers?.(infoOf(run, by), next, live.usage)) continue
      // What it reserves lies beside the run's record.
      if (!(await accepted(live))) return ask(live, tools, cut)
      await value.further(infoOf(run, by), next, live.usage)
    }
    if (!live.announced) writer.append('agent_step', { step: live.steps.length + 1, attempt: run.attempt })
    live.announced = true
    const options: LanguageModelV4CallOptions = {
      prompt,
      abortSignal: cut.signal,
      ...asked,
      providerOptions: joinedOptions(cacheKey(run), asked.providerOptions)
    }
    const left = () => live.begun + limitsOf(live, settings).seconds * 1_000 - performance.now()
    const retry = createModelRetries({ settings, hasWorked: live.steps.length > 0, left })
    for (;;) {
      const output = createOutput(live)
      try {
        const reply = await read(live, model, options, output, cut)
        if (!reply) return await ask(live, tools, cut)
        const usage = model.isExecutor
          ? reply.usage
          : completed(reply.usage, lengthOfRequest(options), output.length)
        if (!model.isExecutor) contextLimits.calibrate(run, model, estimated, reply.usage.inputTokens)
        live.rejections = 0
        return { ...reply, origin: originOf(model), usage: { ...usage, ...nameOf(model) } }
      } catch (error) {
        if (cut.signal.aborted) throw cut.signal.reason
        // What went wrong was asked for an agent that is another one by now.
        if (!(await accepted(live))) return ask(live, tools, cut)
        if (error instanceof Error && 'kind' in error) throw error
        const failure = models.failureOf(error)
        const isTooLong = !output.isEmitted && failure.class === 'context_too_long'
        const rejection = models.lengthRejection(error) ?? (isTooLong ? {} : undefined)
        const isShorter =
          rejection !== undefined &&
          !output.isEmitted &&
          live.rejections++ < MOST_REJECTIONS &&
          contextLimits.rejected(run, model, maxTokens, estimated, rejection)
        if (isShorter) return ask(live, tools, cut)
        const next = output.isEmitted || !isRetried(live) ? NOT_AGAIN : retry(failure)
        if (next.afterMs === undefined) throw modelFailure(failure, error, next.tooLong)
        await delay(next.afterMs, undefined, { signal: cut.signal }).catch(() => {
          throw cut.signal.reason
        })
      }
    }
  }

  /** Resolves when the run is in the record; false when its agent has changed since the model was asked. */
  async function accepted(live: Live): Promise<boolean> {
    const same = await live.accepted
    live.accepted = undefined
    if (same !== false) return true
    live.profile = (await agents.afresh(live.run.agentId)) ?? live.profile
    return false
  }

  /** Undefined when the model was asked for an agent that has changed. */
  async function read(
    live: Live,
    model: Model,
    options: LanguageModelV4CallOptions,
    output: Output,
    cut: AbortController
  ) {
    const { signal } = cut
    let parts: Parts | undefined
    const patience = createModelPatience(
      settings,
      () => parts?.received?.(),
      (late) => cut.abort(late)
    )
    const aborted = Promise.withResolvers<never>()
    aborted.promise.catch(() => undefined)
    const stop = () => aborted.reject(signal.reason)
    signal.addEventListener('abort', stop)
    try {
      signal.throwIfAborted()
      parts = await Promise.race([partsOf(model, options), aborted.promise])
      // A provider that does not mind the signal is not waited for.
      aborted.promise.catch(() => parts?.leave())
      if (!(await accepted(live))) return undefined
      const reply = collect(output)
      for (;;) {
        const came = await parts.next()
        if (signal.aborted) throw signal.reason
        if (!came) break
        if (came.some(saysSomething)) patience.refresh()
        for (const part of came) reply.take(part)
        if (output.length > settings.maxCharacters) {
          cut.abort(new RunFailure('upstream', 'output_limit', 'The reply of the model is too long'))
          throw signal.reason
        }
      }
      output.end()
      return reply.done()
    } catch (error) {
      // It was paid for all the same.
      const told = parts?.usage?.()
      if (told) live.usage.push({ ...usageOf(told), ...nameOf(model) })
      else if (output.length > 0)
        live.usage.push({ ...guessOf(lengthOfRequest(options), output.length), ...nameOf(model) })
      throw error
    } finally {
      patience.stop()
      parts?.leave()
      signal.removeEventListener('abort', stop)
    }
  }

  return { ask }
}

/** Characters that the model reads: its prompt, and the definitions of its tools. */
const lengthOfRequest = ({ prompt, tools = [] }: LanguageModelV4CallOptions): number =>
  lengthOfPrompt(prompt) + (tools.length > 0 ? JSON.stringify(tools).length : 0)

const nameOf = ({ modelProvider, modelId }: Model) => ({ modelProvider, modelId })

/** Whether the model went on: what is empty, or says again that something begins, is silence. */
const saysSomething = (part: LanguageModelV4StreamPart) =>
  'delta' in part ? part.delta !== '' : part.type === 'tool-call' || part.type === 'finish'
