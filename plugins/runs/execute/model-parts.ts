import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Model, Parts } from '../../models/contract.ts'

/** What came together goes on together, where the model gives that; a stream gives each part for a promise of its own. */
export async function partsOf(
  { languageModel }: Pick<Model, 'languageModel'>,
  options: LanguageModelV4CallOptions
): Promise<Parts> {
  if (languageModel.doParts) return languageModel.doParts(options)
  const reader = (await languageModel.doStream(options)).stream.getReader()
  return {
    async next() {
      const { done, value } = await reader.read()
      return done ? undefined : [value]
    },
    leave: () => void reader.cancel(options.abortSignal?.reason).catch(() => undefined)
  }
}
