import type { Usage } from '../../runs/contract.ts'
import { formatAmount, fromMillions, MOST } from '../amounts.ts'
import type { Price } from '../stores/prices.ts'

/** The most particular price that was in force then; the present one where no time is given. Of versions, the latest first. */
export function priceOf(
  versions: readonly Price[],
  kind: Price['kind'],
  targets: readonly string[],
  at?: string
): Price | undefined {
  for (const target of targets) {
    const found = versions.find(
      (price) => price.kind === kind && price.target === target && (at === undefined || price.createdAt <= at)
    )
    if (found) return found
  }
  return undefined
}

/** Where the price of a model is looked for, the most particular first. */
export const targetsOfModel = (modelProvider: string, modelId: string): readonly string[] => [
  `${modelProvider}/${modelId}`,
  `${modelProvider}/*`,
  '*'
]
export const targetsOfTool = (toolName: string): readonly string[] => [toolName, '*']

/** Far more than a model takes or says: a provider that tells nonsense must not break a sum. */
const MOST_TOKENS = 1_000_000_000
const tokensOf = (count: number): bigint => BigInt(Math.trunc(Math.min(Math.max(count || 0, 0), MOST_TOKENS)))

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Price of tokens, rounded up once, at most `MOST`. Input tokens include those that were read from a cache or written to it. */
export function costOf({ input, cached, cacheWrite, output }: Price, usage: Usage): bigint {
  const whole = tokensOf(usage.inputTokens)
  const cachedTokens = least(tokensOf(usage.cachedTokens), whole)
  const writtenTokens = least(tokensOf(usage.cacheWriteTokens ?? 0), whole - cachedTokens)
  const total =
    (whole - cachedTokens - writtenTokens) * input +
    cachedTokens * cached +
    writtenTokens * cacheWrite +
    tokensOf(usage.outputTokens) * output
  const cost = fromMillions(total)
  return cost < MOST ? cost : MOST
}

/** What the price of a medium is for: an image, a thousand characters, a minute. */
const MEASURES = { image: 1, speech: 1_000, transcription: 60 } as const

/** Rounded up once. */
export function costOfMedia({ call }: Price, medium: keyof typeof MEASURES, quantity: number): bigint {
  const measure = BigInt(MEASURES[medium])
  const total = call * tokensOf(Math.ceil(quantity))
  const cost = (total + measure - 1n) / measure
  return cost < MOST ? cost : MOST
}

/** What a call costs that has so long a prompt, and a reply as long as it may be: `replyTokens` at most. */
export const worstOf = (
  price: Price,
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number | null },
  replyTokens: number
): bigint =>
  costOf(price, {
    inputTokens,
    cachedTokens: 0,
    outputTokens: Math.min(outputTokens ?? replyTokens, replyTokens)
  })

const shown = new WeakMap<Price, Readonly<Record<string, string>>>()
/** The version as an entry keeps it. */
export function shownPrice(price: Price): Readonly<Record<string, string>> {
  const known = shown.get(price)
  if (known) return known
  const { id, kind, target, input, cached, cacheWrite, output, call } = price
  const made = {
    id,
    target,
    ...(kind === 'model'
      ? {
          input: formatAmount(input),
          cached: formatAmount(cached),
          ...(cacheWrite !== input && { cacheWrite: formatAmount(cacheWrite) }),
          output: formatAmount(output)
        }
      : { call: formatAmount(call) })
  }
  shown.set(price, made)
  return made
}
