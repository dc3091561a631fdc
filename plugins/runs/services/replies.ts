import { setTimeout as delay } from 'node:timers/promises'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Kernel } from 'agent-platform'
import type { Model, Models } from '../../models/contract.ts'
import type { Tool } from '../contract.ts'
import type { RunSettings } from '../settings.ts'
import { modelFailure, RunFailure, retryAfter } from './failures.ts'
import { infoOf } from './info.ts'
import type { Live } from './live-runs.ts'
import type { Output } from './output.ts'
import { createOutput } from './output.ts'
import type { Prompts } from './prompts.ts'
import type { Reply } from './reply.ts'
import { collect } from './reply.ts'

export type Replies = ReturnType<typeof createReplies>

const BACKOFF_MS = 500
const LONGEST_WAIT_MS = 10_000

interface Deps extends Pick<Kernel, 'points'> {
  settings: RunSettings
  models: Models
  prompts: Prompts
}

/** Asks the model for the next reply of a run. */
export function createReplies({ points, settings, models, prompts }: Deps) {
  /** Rejects with the signal's reason once that is aborted. */
  async function ask(live: Live, tools: ReadonlyMap<string, Tool>, cut: AbortController): Promise<Reply> {
    const { run, by, profile, writer } = live
    for (const { value } of points.all('runs.gate')) await value.step?.(infoOf(run, by))
    const model = await models.resolve(run.project, profile.agent)
    live.model = { modelProvider: model.modelProvider, modelId: model.modelId }
    if (!live.announced) writer.append('agent_step', { step: live.steps.length + 1, attempt: run.attempt })
    live.announced = true
    const { temperature, maxTokens } = profile.agent
    const offered = toolsOf(live, tools)
    const prompt = await prompts.build(live, model, offered.length > 0)
    const options: LanguageModelV4CallOptions = {
      prompt,
      abortSignal: cut.signal,
      ...(temperature !== null && { temperature }),
      ...(maxTokens !== null && { maxOutputTokens: maxTokens }),
      ...(offered.length > 0 && { tools: offered, toolChoice: { type: 'auto' } })
    }
    for (let tries = 0; ; tries++) {
      const output = createOutput(live)
      try {
        return await read(model, options, output, cut)
      } catch (error) {
        if (cut.signal.aborted) throw cut.signal.reason
        const wait = tries < settings.modelRetries && !output.told ? retryAfter(error) : undefined
        if (wait === undefined) throw modelFailure(error)
        await delay(Math.min(Math.max(wait, BACKOFF_MS * 2 ** tries), LONGEST_WAIT_MS), undefined, {
          signal: cut.signal
        }).catch(() => {
          throw cut.signal.reason
        })
      }
    }
  }

  async function read(
    model: Model,
    options: LanguageModelV4CallOptions,
    output: Output,
    cut: AbortController
  ) {
    const { signal } = cut
    const silent = () =>
      cut.abort(
        new RunFailure(
          'upstreamTimeout',
          'model_timeout',
          `The model was silent for ${settings.idleSeconds} s`
        )
      )
    const idle = setTimeout(silent, settings.idleSeconds * 1_000)
    const aborted = Promise.withResolvers<never>()
    aborted.promise.catch(() => undefined)
    const stop = () => aborted.reject(signal.reason)
    signal.addEventListener('abort', stop)
    try {
      signal.throwIfAborted()
      const { stream } = await Promise.race([model.languageModel.doStream(options), aborted.promise])
      const reader = stream.getReader()
      // A provider that does not mind the signal is not waited for.
      aborted.promise.catch((reason) => reader.cancel(reason).catch(() => undefined))
      const reply = collect(output)
      for (;;) {
        const { done, value } = await reader.read()
        if (signal.aborted) throw signal.reason
        if (done) break
        idle.refresh()
        reply.take(value)
        if (output.length > settings.maxCharacters) {
          cut.abort(new RunFailure('upstream', 'output_limit', 'The reply of the model is too long'))
          throw signal.reason
        }
      }
      output.end()
      return reply.done()
    } finally {
      clearTimeout(idle)
      signal.removeEventListener('abort', stop)
    }
  }

  return { ask }
}

/** The caller's tools before those of packs. */
function toolsOf(
  { run }: Live,
  tools: ReadonlyMap<string, Tool>
): NonNullable<LanguageModelV4CallOptions['tools']> {
  const cliTools = run.request.cliTools ?? []
  const own = cliTools.map(({ name, description, parameters = { type: 'object' } }) => ({
    type: 'function' as const,
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters as object
  }))
  const names = new Set(own.map(({ name }) => name))
  const others = [...tools.values()].filter(({ name }) => !names.has(name))
  return [
    ...own,
    ...others.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      name,
      ...(description !== undefined && { description }),
      inputSchema: parameters
    }))
  ]
}
