import { invalid } from 'agent-platform'
import { Type } from 'typebox'
import { formatAmount, parseAmount } from '../amounts.ts'

/** Of a request: above zero, or zero where that means something. */
export const Amount = (description: string) =>
  Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,6})?$', description, examples: ['12.5'] })
/** Of a reply. */
export const Shown = (description: string) =>
  Type.String({ pattern: '^-?\\d+(\\.\\d{1,6})?$', description, examples: ['12.5'] })

/** 400 at `param` for what is no amount, or is zero where it must not be. */
export function amountOf(text: string, param: string, { zero = false } = {}): bigint {
  const amount = parseAmount(text)
  if (amount === undefined || (amount === 0n && !zero))
    throw invalid(
      param,
      `${param} must be an amount ${zero ? 'of' : 'above zero and of'} a thousand million at most`
    )
  return amount
}

/** As texts, what the database gives as texts of millionths. */
export const shown = (amount: bigint | string): string => formatAmount(BigInt(amount))
