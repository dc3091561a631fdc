import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { refusalOf, rejectedBy } from '../failures/rejected-parameters.ts'

type Call = LanguageModelV4CallOptions
type Field = keyof Call

/** Parameters of a call, by the names that vendors have for them. */
const fields: Readonly<Record<string, Field>> = {
  temperature: 'temperature',
  top_p: 'topP',
  topP: 'topP',
  top_k: 'topK',
  topK: 'topK',
  seed: 'seed',
  stop: 'stopSequences',
  stop_sequences: 'stopSequences',
  stopSequences: 'stopSequences',
  presence_penalty: 'presencePenalty',
  presencePenalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  frequencyPenalty: 'frequencyPenalty',
  reasoning_effort: 'reasoning',
  thinking: 'reasoning',
  thinking_config: 'reasoning',
  thinking_level: 'reasoning',
  thinking_budget: 'reasoning',
  effort: 'reasoning',
  max_tokens: 'maxOutputTokens',
  max_output_tokens: 'maxOutputTokens',
  maxOutputTokens: 'maxOutputTokens',
  output_config: 'responseFormat',
  output_format: 'responseFormat',
  response_format: 'responseFormat',
  response_schema: 'responseFormat',
  response_mime_type: 'responseFormat',
  tool_choice: 'toolChoice'
}

/** The same model, asked again without a parameter that it rejects; what it does not know at all is left out from then on. */
export function conceding(model: LanguageModelV4): LanguageModelV4 {
  const { provider, modelId, supportedUrls } = model
  let lasting: readonly Field[] = []

  async function asked<T>(given: Call, ask: (call: Call) => PromiseLike<T>): Promise<T> {
    let left = lasting
    for (;;) {
      const call = { ...given }
      for (const field of left) delete call[field]
      try {
        return await ask(call)
      } catch (error) {
        const refusal = refusalOf(error)
        const names = Object.keys(fields).filter((name) => call[fields[name] as Field] !== undefined)
        const rejected = refusal && rejectedBy(refusal, names)
        if (!rejected) throw error
        const field = fields[rejected.name] as Field
        left = [...left, field]
        if (rejected.isLasting) lasting = [...lasting, field]
      }
    }
  }

  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: (call) => asked(call, (it) => model.doGenerate(it)),
    doStream: (call) => asked(call, (it) => model.doStream(it))
  }
}
