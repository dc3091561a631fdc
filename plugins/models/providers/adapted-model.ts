import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart
} from '@ai-sdk/provider'
import type { PartsModel } from '../contract.ts'

type Call = LanguageModelV4CallOptions
type Part = LanguageModelV4StreamPart | LanguageModelV4Content

/** A call as it is sent, and how parts of its reply are changed; without `part` the reply is passed on as it is. */
export interface Adapted {
  readonly call: Call
  readonly part?: (<P extends Part>(part: P) => P) | undefined
}

/**
 * The same model with every call changed by `adapt`, whichever of its methods is used: a model that is copied with one
 * method replaced keeps the others unchanged.
 */
export function adapted(
  model: LanguageModelV4 & Partial<PartsModel>,
  adapt: (call: Call) => Adapted
): LanguageModelV4 & Partial<PartsModel> {
  const { provider, modelId, supportedUrls } = model

  async function doGenerate(given: Call) {
    const { call, part } = adapt(given)
    const reply = await model.doGenerate(call)
    return part ? { ...reply, content: reply.content.map(part) } : reply
  }

  async function doStream(given: Call) {
    const { call, part } = adapt(given)
    const reply = await model.doStream(call)
    if (!part) return reply
    const change = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform: (it, controller) => controller.enqueue(part(it))
    })
    return { ...reply, stream: reply.stream.pipeThrough(change) }
  }

  async function doParts(given: Call) {
    const { call, part } = adapt(given)
    const parts = await (model as PartsModel).doParts(call)
    if (!part) return parts
    return {
      next: async () => (await parts.next())?.map(part),
      leave: () => parts.leave(),
      usage: () => parts.usage?.(),
      ...(parts.received && { received: parts.received })
    }
  }

  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate,
    doStream,
    ...(model.doParts && { doParts })
  }
}
