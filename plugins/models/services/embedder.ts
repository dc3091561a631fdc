import { setTimeout as delay } from 'node:timers/promises'
import { unavailable, upstreamFailed } from 'agent-platform'
import type { Embedder, EmbeddingModel, EmbedOptions } from '../contract.ts'

const ATTEMPTS = 4
const FIRST_WAIT_MS = 250
/** Who asks to wait for longer is taken for away. */
const MAX_WAIT_MS = 30_000
/** Calls at a time, of a model that takes several. */
const PARALLEL = 4
const MAX_DIMENSIONS = 16_000

/** As errors of providers are known: by their shape. */
interface CallError {
  readonly statusCode?: number
  readonly isRetryable?: boolean
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** Asks an embedding model in as many calls as it wants. */
export async function createEmbedder(
  { modelProvider, modelId, embeddingModel }: EmbeddingModel,
  isLocal: boolean
): Promise<Embedder> {
  const id = `${modelProvider}/${modelId}`
  const most = Math.max(1, (await embeddingModel.maxEmbeddingsPerCall) ?? 1)
  const parallel = (await embeddingModel.supportsParallelCalls) ? PARALLEL : 1

  async function call(texts: readonly string[], { as, signal }: EmbedOptions) {
    for (let attempt = 1; ; attempt++) {
      try {
        const { embeddings } = await embeddingModel.doEmbed({
          values: [...texts],
          ...(signal && { abortSignal: signal }),
          providerOptions: {
            google: { taskType: as === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT' },
            offline: { as }
          }
        })
        return embeddings.map(unit)
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof Error && 'kind' in error) throw error
        const wait = waitAfter(error as CallError, attempt)
        if (wait === undefined) throw failureOf(error as CallError)
        await delay(wait, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())
      }
    }
  }

  async function embed(texts: readonly string[], options: EmbedOptions) {
    const batches = Array.from({ length: Math.ceil(texts.length / most) }, (_, at) =>
      texts.slice(at * most, (at + 1) * most)
    )
    const vectors: (readonly Float32Array[])[] = []
    let next = 0
    async function work() {
      for (let at = next++; at < batches.length; at = next++)
        vectors[at] = await call(batches[at] as string[], options)
    }
    await Promise.all(Array.from({ length: Math.min(parallel, batches.length) }, work))
    const all = vectors.flat()
    if (all.length !== texts.length || all.some(({ length }) => length !== all[0]?.length))
      throw upstreamFailed('The embedding model gave vectors that do not fit', { code: 'embedding_failed' })
    return all
  }

  return { id, isLocal, textsAtOnce: most * parallel, embed }
}

/** Of length 1. What is no direction at all stays as it is: it is like nothing else. */
function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers)
  if (numbers.length === 0 || numbers.length > MAX_DIMENSIONS || !Number.isFinite(length))
    throw upstreamFailed('The embedding model gave no vector', { code: 'embedding_failed' })
  return Float32Array.from(numbers, (number) => (length === 0 ? 0 : number / length))
}

/** Milliseconds until it is worth another try; undefined where it is not. */
function waitAfter({ isRetryable, responseHeaders }: CallError, attempt: number): number | undefined {
  if (isRetryable !== true || attempt === ATTEMPTS) return undefined
  const said = Number(responseHeaders?.['retry-after'])
  const wait = said >= 0 ? said * 1_000 : FIRST_WAIT_MS * 2 ** (attempt - 1)
  return wait > MAX_WAIT_MS ? undefined : wait
}

function failureOf(error: CallError) {
  const { statusCode, isRetryable } = error
  const said = statusCode === undefined ? 'could not be reached' : `answered ${statusCode}`
  const details = { cause: error }
  return isRetryable
    ? unavailable(`The embedding model ${said}`, { ...details, code: 'embedding_unavailable' })
    : upstreamFailed(`The embedding model ${said}`, { ...details, code: 'embedding_failed' })
}
