import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Usage
} from '@ai-sdk/provider'
import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Asked, AskedMedia, Asking, MediaAsking, Model, ProviderChoice } from '../contract.ts'

/** Of a prompt whose provider told nothing. */
const CHARACTERS_PER_TOKEN = 3.5

/** Asks models for what is no step of a run: what that costs is admitted ahead of it, and told of behind it. */
export function createAskingService({ knex, facts, points }: Pick<Kernel, 'knex' | 'facts' | 'points'>) {
  async function ask(
    { by, agentId, runId = null, sessionId = null, purpose }: Asking,
    { modelProvider, modelId, languageModel }: Model,
    options: LanguageModelV4CallOptions
  ): Promise<LanguageModelV4GenerateResult> {
    const about = { callId: newId('call'), runId, sessionId, agentId, modelProvider, modelId, purpose }
    const inputTokens = Math.ceil(JSON.stringify(options.prompt).length / CHARACTERS_PER_TOKEN)
    const wanted = { inputTokens, outputTokens: options.maxOutputTokens ?? null }
    for (const { value } of points.all('models.gate')) await value.admit({ ...about, ...wanted, by })
    const startedAt = performance.now()
    const tell = async (usage: Asked['usage'], isError: boolean): Promise<void> => {
      const data = { ...about, usage, isError, milliseconds: Math.round(performance.now() - startedAt) }
      // Within no transaction of a request: the model was asked, whatever becomes of that.
      await knex.transaction((trx) =>
        facts.record(trx, 'models.asked', by, {
          subject: about.callId,
          owner: by.owner,
          data,
          usage: [
            { meter: 'tokens.input', quantity: String(usage.inputTokens) },
            { meter: 'tokens.cached', quantity: String(usage.cachedTokens) },
            { meter: 'tokens.output', quantity: String(usage.outputTokens) }
          ]
        })
      )
    }
    let reply: LanguageModelV4GenerateResult
    try {
      reply = await languageModel.doGenerate(options)
    } catch (error) {
      // Who left had it read the prompt, as far as can be known.
      const isLeft = options.abortSignal?.aborted === true
      await tell({ inputTokens: isLeft ? inputTokens : 0, cachedTokens: 0, outputTokens: 0 }, true)
      throw error
    }
    await tell(completed(usageOf(reply.usage), inputTokens, reply.content), false)
    return reply
  }

  async function askMedia<T>(
    { by, agentId, medium, most, signal }: MediaAsking,
    { modelProvider, modelId }: ProviderChoice & { readonly modelId: string },
    work: (used: (quantity: number) => void) => Promise<T>
  ): Promise<T> {
    const about = { callId: newId('call'), agentId, modelProvider, modelId, medium }
    for (const { value } of points.all('models.gate')) await value.admitMedia?.({ ...about, by, most })
    const startedAt = performance.now()
    let quantity = 0
    const tell = async (isError: boolean): Promise<void> => {
      const data: AskedMedia = {
        ...about,
        quantity,
        isError,
        milliseconds: Math.round(performance.now() - startedAt)
      }
      await knex.transaction((trx) =>
        facts.record(trx, 'models.media_asked', by, { subject: about.callId, owner: by.owner, data })
      )
    }
    try {
      const made = await work((more) => {
        quantity += more
      })
      await tell(false)
      return made
    } catch (error) {
      if (signal.aborted) quantity = Math.max(quantity, most)
      await tell(true)
      throw error
    }
  }

  return { ask, askMedia }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Asked['usage'] {
  const cacheWriteTokens = countOf(inputTokens.cacheWrite)
  return {
    inputTokens: countOf(inputTokens.total),
    cachedTokens: countOf(inputTokens.cacheRead),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    outputTokens: countOf(outputTokens.total)
  }
}

/** With an estimate for what the provider did not report. */
function completed(
  told: Asked['usage'],
  inputTokens: number,
  content: LanguageModelV4GenerateResult['content']
): Asked['usage'] {
  const said = content.reduce((sum, part) => sum + lengthOf(part), 0)
  const lacksOutput = told.outputTokens === 0 && said > 0
  if (told.inputTokens > 0 && !lacksOutput) return told
  return {
    ...told,
    inputTokens: told.inputTokens || inputTokens,
    outputTokens: told.outputTokens || Math.ceil(said / CHARACTERS_PER_TOKEN),
    estimated: true
  }
}

const lengthOf = (part: LanguageModelV4GenerateResult['content'][number]): number =>
  'text' in part ? part.text.length : part.type === 'tool-call' ? part.input.length : 0

const countOf = (tokens: number | undefined) =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0
