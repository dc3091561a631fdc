import type { Kernel } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { request } from 'undici'
import { seeing } from '../catalogue.ts'
import type { ModelInfo } from '../contract.ts'
import type { VendorAccess } from './api-key-provider.ts'

const MAX_SERVERS = 1_000
const MAX_MODELS = 1_000
const MAX_BYTES = 1_048_576
const TIMEOUT_MS = 3_000
const KEEP_MS = 60_000
const KEEP_FAILURE_MS = 10_000

const Entry = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  /** As OpenRouter says it, and as Mistral does. */
  architecture: Type.Optional(Type.Unknown()),
  capabilities: Type.Optional(Type.Unknown())
})

/**
 * Models that servers of chat completions list themselves, asked for at most once a minute; none of a server that
 * does not answer soon, briefly, or in that form.
 */
export function createServedModels({ log }: Pick<Kernel, 'log'>) {
  const known = new LRUCache<string, Promise<readonly ModelInfo[]>>({ max: MAX_SERVERS, ttl: KEEP_MS })

  async function ask({ baseUrl, apiKey, dispatcher }: VendorAccess): Promise<readonly ModelInfo[]> {
    const { statusCode, body } = await request(`${baseUrl}/models`, {
      dispatcher,
      headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
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
      .flatMap((entry) => (Value.Check(Entry, entry) && !holds(entry.id, apiKey) ? info(entry) : []))
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

/** Where servers report the window of a model, the one that it was loaded with before the largest one that it could have. */
const WINDOWS = [
  ['max_model_len'],
  ['meta', 'n_ctx'],
  ['loaded_context_length'],
  ['context_length'],
  ['context_window'],
  ['context_size'],
  ['max_context_length'],
  ['max_context_tokens'],
  ['max_input_tokens'],
  ['inputTokenLimit'],
  ['top_provider', 'context_length'],
  ['limits', 'max_context_window_tokens'],
  ['meta', 'n_ctx_train']
]
/** The same for the most that a reply can have. */
const REPLIES = [
  ['max_output_tokens'],
  ['max_completion_tokens'],
  ['outputTokenLimit'],
  ['top_provider', 'max_completion_tokens'],
  ['limits', 'max_output_tokens']
]
/** More is a number of something else. */
const MOST_TOKENS = 1_000_000_000

function sizeIn(entry: object, paths: readonly (readonly string[])[]): number | null {
  for (const path of paths) {
    const value = path.reduce<unknown>((at, name) => Object(at)[name], entry)
    const isText = typeof value === 'string' && value.length < 12 && value.trim() !== ''
    const size = isText ? Number(value) : value
    if (Number.isSafeInteger(size) && Number(size) > 0 && Number(size) < MOST_TOKENS) return Number(size)
  }
  return null
}

function info(entry: Static<typeof Entry>): ModelInfo {
  const { id } = entry
  const images = takesImages(entry)
  return {
    modelId: id,
    name: id,
    contextTokens: sizeIn(entry, WINDOWS),
    outputTokens: sizeIn(entry, REPLIES),
    ...(images !== undefined && { inputModalities: images ? seeing : ['text'] })
  }
}

/** Undefined where the server does not say. */
function takesImages({ architecture, capabilities }: Static<typeof Entry>): boolean | undefined {
  const inputs: unknown = Object(architecture).input_modalities
  if (Array.isArray(inputs)) return inputs.includes('image')
  const vision: unknown = Object(capabilities).vision
  return typeof vision === 'boolean' ? vision : undefined
}
