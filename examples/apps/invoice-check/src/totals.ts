export interface Line {
  readonly quantity: number
  readonly unitPrice: number
  readonly taxRate: number
}

/** As an invoice writes it: 12.50 */
export const amount = (value: number): string => value.toFixed(2)

/** What a line costs without tax: rounded to cents, as each line of an invoice is. */
export function netOf({ quantity, unitPrice }: Line): number {
  return cents(tenThousandths(quantity) * tenThousandths(unitPrice), 1_000_000n)
}

/** Tax is calculated on the sum of each rate and not line by line, as EN 16931 has it (BR-CO-17). */
export function ratesOf(lines: readonly Line[]) {
  return [...Map.groupBy(lines, ({ taxRate }) => taxRate)].map(([rate, all]) => {
    const net = sum(all.map(netOf))
    return { rate, net, tax: cents(hundredths(net) * tenThousandths(rate), 1_000_000n) }
  })
}

export function totalsOf(lines: readonly Line[]) {
  const nets = lines.map(netOf)
  const net = sum(nets)
  const tax = sum(ratesOf(lines).map((rate) => rate.tax))
  return { nets, net, tax, gross: sum([net, tax]) }
}

// Whole numbers are exact, at any size: 0.1 + 0.2 is 0.3 here.
const hundredths = (value: number) => BigInt(Math.round(value * 100))
const tenThousandths = (value: number) => BigInt(Math.round(value * 10_000))
const sum = (values: readonly number[]) =>
  Number(values.reduce((all, value) => all + hundredths(value), 0n)) / 100

/** Half a cent is rounded away from zero, so that a credit note is the invoice with another sign. */
function cents(value: bigint, parts: bigint): number {
  const half = value < 0n ? -parts / 2n : parts / 2n
  return Number((value + half) / parts) / 100
}
