/** How the VAT number of each country is written, behind the country. */
const patterns: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/
}

/** Whether the check digits fit, for countries whose rule is short. */
const fits: Readonly<Record<string, (id: string) => boolean>> = {
  BE: (id) => 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8)),
  // A key with letters in it is of a newer kind.
  FR: (id) => !/^\d{2}/.test(id) || Number(`${id.slice(2)}12`) % 97 === Number(id.slice(0, 2)),
  LU: (id) => Number(id.slice(0, 6)) % 89 === Number(id.slice(6)),
  // ISO 7064, MOD 11,10
  DE: (id) => {
    let product = 10
    for (const digit of id.slice(0, 8)) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
    return (11 - product) % 10 === Number(id[8])
  },
  // Luhn
  IT: (id) => {
    const digits = [...id].map((it, at) => Number(it) * (at % 2 === 1 ? 2 : 1))
    return digits.reduce((sum, it) => sum + (it > 9 ? it - 9 : it), 0) % 10 === 0
  }
}

/** What is wrong with a VAT number of the European Union; undefined where nothing is. Whether it was given out VIES knows. */
export function vatIdProblem(text: string): string | undefined {
  const whole = text.replace(/[\s.-]/g, '').toUpperCase()
  const [country, id] = [whole.slice(0, 2), whole.slice(2)]
  const pattern = patterns[country]
  if (!pattern) return `begins with ${country}, which is no country of the European Union`
  if (!pattern.test(id)) return `is not written as one of ${country} is`
  return (fits[country]?.(id) ?? true) ? undefined : 'has a typing error: its check digits do not fit'
}
