import { invalid } from 'agent-platform'
import { formatUnits, parseUnits } from 'viem/utils'

/** What one may pay with. */
export type Asset = 'stablecoin' | 'native'

const MOST = 2n ** 128n

/** In minor units; 400 at `param` for what is no amount of so many decimals, or is zero where it must not be. */
export function minorUnitsOf(
  text: string,
  decimals: number,
  param: string,
  { zero = false }: { zero?: boolean } = {}
): bigint {
  const [, fraction = ''] = text.split('.')
  const units = fraction.length > decimals ? -1n : parseUnits(text, decimals)
  if (units < (zero ? 0n : 1n) || units > MOST)
    throw invalid(
      param,
      `${param} must be an amount ${zero ? '' : 'above zero '}with at most ${decimals} decimals`
    )
  return units
}

export const decimalOf = (units: bigint, decimals: number): string => formatUnits(units, decimals)
