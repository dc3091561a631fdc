import { trimEndOf } from 'agent-platform'

// Credits are decimal strings, as `credits` has them: counted here in whole millionths.
const MICRO = 1_000_000n

export function microOf(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(whole) * MICRO + BigInt(part.padEnd(6, '0'))
}

export function creditsOf(micro: bigint): string {
  const part = trimEndOf(String(micro % MICRO).padStart(6, '0'), '0')
  return `${micro / MICRO}${part && `.${part}`}`
}

/** Of that many credits the share that goes with a part of a whole, rounded down to a millionth. */
export const shareOf = (credits: string, part: number, whole: number): bigint =>
  whole <= 0 ? 0n : (microOf(credits) * BigInt(Math.min(part, whole))) / BigInt(whole)
