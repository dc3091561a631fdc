import { trimEndOf } from 'agent-platform'
/** Amounts are whole numbers of millionths of a credit, in memory and in the database; at the API they are decimal strings. */
export const MICRO = 1_000_000n
/** The greatest that one posting may move, so that no sum comes near the end of a bigint. */
export const MOST = 1_000_000_000n * MICRO

const shape = /^(\d{1,10})(?:\.(\d{1,6}))?$/

/** Of `"12.5"`; undefined where it is no amount, is above `MOST`, or is finer than a millionth. */
export function parseAmount(text: string): bigint | undefined {
  const found = shape.exec(text)
  if (!found) return undefined
  const [, whole = '0', part = ''] = found
  const amount = BigInt(whole) * MICRO + BigInt(part.padEnd(6, '0'))
  return amount <= MOST ? amount : undefined
}

/** As `"12.5"`, with as many digits as it needs. */
export function formatAmount(amount: bigint): string {
  const [sign, size] = amount < 0n ? ['-', -amount] : ['', amount]
  const part = trimEndOf(String(size % MICRO).padStart(6, '0'), '0')
  return `${sign}${size / MICRO}${part && `.${part}`}`
}

/** Of what is priced by the million: the sum of counts times their prices, as an amount, rounded up. */
export const fromMillions = (total: bigint): bigint => (total + 999_999n) / 1_000_000n
