/** Characters of an IBAN, where the country is known. */
const lengths: Readonly<Record<string, number>> = {
  ...{
    AT: 20,
    BE: 16,
    BG: 22,
    CH: 21,
    CY: 28,
    CZ: 24,
    DE: 22,
    DK: 18,
    EE: 20,
    ES: 24,
    FI: 18,
    FR: 27,
    GB: 22
  },
  ...{
    GR: 27,
    HR: 21,
    HU: 28,
    IE: 22,
    IS: 26,
    IT: 27,
    LI: 21,
    LT: 20,
    LU: 20,
    LV: 21,
    MC: 27,
    MT: 31,
    NL: 18
  },
  ...{ NO: 15, PL: 28, PT: 25, RO: 24, SE: 24, SI: 19, SK: 24, SM: 27 }
}

/** What is wrong with an IBAN; undefined where nothing is. Whether there is such an account only a bank knows. */
export function ibanProblem(text: string): string | undefined {
  const iban = text.replace(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return 'is no IBAN'
  const country = iban.slice(0, 2)
  const length = lengths[country]
  if (length !== undefined && iban.length !== length)
    return `has ${iban.length} characters, and one of ${country} has ${length}`
  // ISO 13616: the first four go to the end, letters become 10 to 35, and the number is 1 modulo 97.
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (it) => String(it.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n ? undefined : 'has a typing error: its check digits do not fit'
}
