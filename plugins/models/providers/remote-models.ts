import type { Kernel } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { request } from 'undici'
import { seeing } from '../catalogue.ts'
import type { ModelInfo } from '../contract.ts'
import type { VendorAccess } from './vendor.ts'

const MAX_SERVERS = 1_000
const MAX_MODELS = 1_000
const MAX_BYTES = 1_048_576
const TIMEOUT_MS = 3_000
const KEEP_MS = 60_000
const KEEP_FAILURE_MS = 10_000

const Entry = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) })
type Entry = Static<typeof Entry> & Readonly<Record<string, unknown>>

/** Where servers say how many tokens prompt and reply may have: what is loaded before what the model could do. */
const windows = [
  'loaded_context_length',
  'meta.n_ctx',
  'n_ctx',
  'max_model_len',
  'top_provider.context_length',
  'context_length',
  'context_window',
  'max_context_length',
  'max_context_tokens',
  'max_context_window_tokens',
  'capabilities.limits.max_context_window_tokens',
  'limits.max_context_window_tokens',
  'context_size',
  'max_input_tokens',
  'max_sequence_length',
  'inputTokenLimit',
  'meta.n_ctx_train',
  'n_ctx_train'
]
/** More is a number of something else. */
const MOST_TOKENS = 1_000_000_000
/** And how many the reply alone. */
const outputs = [
  'top_provider.max_completion_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_output_length',
  'capabilities.limits.max_output_tokens',
  'limits.max_output_tokens',
  'outputTokenLimit'
]

/**
 * Models that servers of chat completions list themselves, asked for at most once a minute; none of a server that
 * does not answer soon, briefly, or in that form.
 */
export function createServedModels({ log }: Pick<Kernel, 'log'>) {
  const known = new LRUCache<string, Promise<readonly ModelInfo[]>>({ max: MAX_SERVERS, ttl: KEEP_MS })

  async function ask({
    baseUrl,
    apiKey,
    headers,
    secrets = [],
    dispatcher
  }: VendorAccess): Promise<readonly ModelInfo[]> {
    const { statusCode, body } = await request(`${baseUrl}/models`, {
      dispatcher,
      headers: {
        accept: 'application/json',
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
        ...headers
      },
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of body as AsyncIterable<Uint8Array>) {
      bytes += part.length
      if (bytes > MAX_BYTES) throw new Error('too much')
      parts.push(part)
    }
    if (statusCode !== 200) throw new Error(`status ${statusCode}`)
    const list: unknown = JSON.parse(Buffer.concat(parts).toString())
    // Together AI sends the list itself, others an object with it.
    const entries: unknown = Array.isArray(list) ? list : Object(list).data
    if (!Array.isArray(entries)) throw new Error('no list')
    // A megabyte has room for hundreds of thousands: what comes after the first ones is not looked at.
    return entries
      .slice(0, MAX_MODELS)
      .flatMap((entry) =>
        Value.Check(Entry, entry) && ![apiKey, ...secrets].some((secret) => holds(entry.id, secret))
          ? info(entry as Entry)
          : []
      )
  }

  return (revision: string, access: () => Promise<VendorAccess>): Promise<readonly ModelInfo[]> => {
    const found = known.get(revision)
    if (found) return found
    const asked = access()
      .then(ask)
      .catch((error) => {
        known.set(revision, Promise.resolve([]), { ttl: KEEP_FAILURE_MS })
        log.warn({ reason: error.code ?? error.name }, 'a server of chat completions did not list its models')
        return []
      })
    known.set(revision, asked)
    return asked
  }
}
export type ServedModels = ReturnType<typeof createServedModels>

/** A server may say back what it was shown, and every user of the project sees its models. */
const holds = (id: string, apiKey: string | undefined): boolean => apiKey !== undefined && id.includes(apiKey)

function info(entry: Entry): ModelInfo {
  const { id } = entry
  const images = takesImages(entry)
  return {
    modelId: id,
    name: id,
    contextTokens: tokensAt(entry, windows),
    outputTokens: tokensAt(entry, outputs),
    ...(images !== undefined && { inputModalities: images ? seeing : ['text'] })
  }
}

/** The first number of tokens at one of these places, in digits at times; null for none. */
function tokensAt(entry: Entry, places: readonly string[]): number | null {
  for (const place of places) {
    const value = place.split('.').reduce<unknown>((at, name) => Object(at)[name], entry)
    const size = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
    if (typeof size === 'number' && Number.isSafeInteger(size) && size > 0 && size < MOST_TOKENS) return size
  }
  return null
}

/** Undefined where the server does not say. */
function takesImages({ architecture, capabilities }: Entry): boolean | undefined {
  const inputs: unknown = Object(architecture).input_modalities
  if (Array.isArray(inputs)) return inputs.includes('image')
  const vision: unknown = Object(capabilities).vision
  return typeof vision === 'boolean' ? vision : undefined
}
