import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  SharedV4ProviderMetadata
} from '@ai-sdk/provider'
import type { Part } from './reply.ts'

type Finish = Extract<Part, { type: 'finish' }>

/** A stream's parts as the whole that they make. */
export async function collect(stream: ReadableStream<Part>): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  let warnings: LanguageModelV4GenerateResult['warnings'] = []
  let response: LanguageModelV4GenerateResult['response']
  let finish: Finish | undefined
  let text = ''
  let metadata: SharedV4ProviderMetadata | undefined
  for await (const part of stream) {
    if (part.type === 'stream-start') warnings = part.warnings
    else if (part.type === 'reasoning-start') metadata = part.providerMetadata
    else if (part.type === 'text-delta' || part.type === 'reasoning-delta') text += part.delta
    else if (part.type === 'text-end' || part.type === 'reasoning-end') {
      content.push({
        type: part.type === 'text-end' ? 'text' : 'reasoning',
        text,
        ...(metadata && { providerMetadata: metadata })
      })
      text = ''
      metadata = undefined
    } else if (part.type === 'tool-call') content.push(part)
    else if (part.type === 'response-metadata') {
      const { type: _type, ...metadata } = part
      response = metadata
    } else if (part.type === 'finish') finish = part
  }
  // A stream that does not fail ends with it.
  const { finishReason, usage } = finish as Finish
  return { content, finishReason, usage, warnings, ...(response && { response }) }
}
