import type { Usage } from '../../runs/contract.ts'
import { formatAmount, fromMillions } from '../amounts.ts'
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

/** What tokens cost, rounded up once. Cached tokens are among those of the input. */
export function costOf({ input, cached, output }: Price, usage: Usage): bigint {
  const cachedTokens = BigInt(Math.min(usage.cachedTokens, usage.inputTokens))
  const inputTokens = BigInt(usage.inputTokens) - cachedTokens
  return fromMillions(inputTokens * input + cachedTokens * cached + BigInt(usage.outputTokens) * output)
}

/** The version as an entry keeps it. */
export const shownPrice = ({
  id,
  kind,
  target,
  input,
  cached,
  output,
  call
}: Price): Record<string, string> => ({
  id,
  target,
  ...(kind === 'model'
    ? { input: formatAmount(input), cached: formatAmount(cached), output: formatAmount(output) }
    : { call: formatAmount(call) })
})
