/** Of minor units, as it is written where the reader is: `€19.00` of 1900. */
export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency: currency.toUpperCase() })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}

export const day = (at: string): string => new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' })
