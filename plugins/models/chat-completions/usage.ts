import type { LanguageModelV4Usage } from '@ai-sdk/provider'

/** What servers say of usage, under whatever names. */
export type RawUsage = Readonly<Record<string, unknown>>

const isObject = (it: unknown): it is RawUsage => typeof it === 'object' && it !== null

/** Some servers write numbers as text. */
function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 ? number : undefined
}

/** The first that is a number, at a name, or at a name below another one. */
function first(raw: RawUsage | undefined, ...paths: readonly string[]): number | undefined {
  for (const path of paths) {
    const [name = '', inner] = path.split('.')
    const found = count(inner === undefined ? raw?.[name] : Object(raw?.[name])[inner])
    if (found !== undefined) return found
  }
  return undefined
}

const inputOf = (raw: RawUsage | undefined) => first(raw, 'prompt_tokens', 'input_tokens')
const outputOf = (raw: RawUsage | undefined) => first(raw, 'completion_tokens', 'output_tokens')

/** Whether usage says anything: some servers end with zeros, after they have told it. */
export const saysUsage = (it: unknown): it is RawUsage =>
  isObject(it) && (inputOf(it) ?? 0) + (outputOf(it) ?? first(it, 'total_tokens') ?? 0) > 0

/** Where a chunk has it: at the top, with the choice (Moonshot), or below `x_groq` (Groq); what says something first. */
export function usageIn({ usage, choices, x_groq }: Readonly<Record<string, unknown>>): RawUsage | undefined {
  if (!usage && !x_groq && !Array.isArray(choices)) return undefined
  const told = [usage, Object(Object(choices)[0]).usage, Object(x_groq).usage]
  const found = told.find(saysUsage) ?? usage
  return isObject(found) ? found : undefined
}

const rest = (total: number | undefined, part = 0) =>
  total === undefined ? undefined : Math.max(0, total - part)

export function usageOf(raw: RawUsage | undefined): LanguageModelV4Usage {
  const input = inputOf(raw)
  const total = first(raw, 'total_tokens')
  const cached = first(
    raw,
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'cache_read_input_tokens',
    'prompt_cache_hit_tokens',
    'cached_tokens'
  )
  const written = first(
    raw,
    'prompt_tokens_details.cache_write_tokens',
    'input_tokens_details.cache_write_tokens',
    'prompt_tokens_details.cache_creation_tokens',
    'cache_creation_input_tokens'
  )
  const reasoning = first(
    raw,
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'reasoning_tokens'
  )
  const told = outputOf(raw) ?? (input === undefined ? undefined : rest(total, input))
  // Some count thoughts beside the output (xAI): only with them the sum is the total.
  const isBeside = reasoning !== undefined && told !== undefined && total === (input ?? 0) + told + reasoning
  const output = isBeside ? told + reasoning : told
  return {
    inputTokens: {
      total: input,
      noCache: rest(input, (cached ?? 0) + (written ?? 0)),
      cacheRead: cached,
      cacheWrite: written
    },
    outputTokens: { total: output, text: rest(output, reasoning), reasoning },
    ...(raw && { raw: raw as NonNullable<LanguageModelV4Usage['raw']> })
  }
}
