import type { LanguageModelV4, LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { pace } from 'agent-platform'
import type { PartsModel } from '../contract.ts'
import { createCallLimits, replyLimits, tooManyBlocks } from '../reply-limits.ts'
import { watch } from './activity.ts'

/** A vendor's model whose replies stay within the limits of a reply. */
export function limited(model: LanguageModelV4): LanguageModelV4 & PartsModel {
  const { provider, modelId, supportedUrls } = model
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    async doGenerate(call) {
      const reply = await Promise.resolve(model.doGenerate(call)).catch(rethrow)
      const check = createCheck()
      for (const content of reply.content) check(content)
      return reply
    },
    async doStream(call) {
      const reply = await Promise.resolve(model.doStream(call)).catch(rethrow)
      return { ...reply, stream: checked(reply.stream) }
    },
    /** At once: clients of vendors wait for the first part of a reply, and pings may come before that. */
    async doParts(call) {
      const { signal, activity } = watch(call.abortSignal)
      const opening = Promise.resolve(model.doStream({ ...call, abortSignal: signal }))
        .catch(rethrow)
        .then(({ stream }) => checked(stream).getReader())
      opening.catch(() => undefined)
      return {
        async next() {
          const { done, value } = await (await opening).read()
          return done ? undefined : [value]
        },
        leave: () =>
          void opening.then((reader) => reader.cancel(call.abortSignal?.reason)).catch(() => undefined),
        received: () => activity.received
      }
    }
  }
}

function checked(stream: ReadableStream<LanguageModelV4StreamPart>) {
  const reader = stream.getReader()
  const check = createCheck()
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch(rethrow)
        if (done) return controller.close()
        await pace()
        try {
          check(value)
          controller.enqueue(value)
        } catch (error) {
          await reader.cancel(error).catch(() => undefined)
          throw error
        }
      },
      cancel: (reason) => reader.cancel(reason)
    },
    { highWaterMark: 0 }
  )
}

/** Vendors' clients wrap what the limits throw while they read. */
function rethrow(error: unknown): never {
  const { cause } = (error ?? {}) as { cause?: unknown }
  throw cause instanceof Error && 'kind' in cause ? cause : error
}

function createCheck() {
  const limits = createCallLimits()
  const begun = new Set<string>()
  let blocks = 0

  function begin(id: string, name: string): void {
    limits.call()
    limits.id(id)
    limits.name(name)
    begun.add(id)
  }

  return (part: LanguageModelV4StreamPart | LanguageModelV4Content): void => {
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      if (++blocks > replyLimits.blocks) throw tooManyBlocks()
    } else if (part.type === 'tool-input-start') begin(part.id, part.toolName)
    else if (part.type === 'tool-input-delta') limits.input(part.delta)
    else if (part.type === 'tool-call' && !begun.has(part.toolCallId)) {
      begin(part.toolCallId, part.toolName)
      limits.input(part.input)
    }
  }
}
