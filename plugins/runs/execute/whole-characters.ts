import type { Phase } from './replay-filter.ts'

/** Whether a text ends with the first half of a character beyond the basic plane. */
const endsInHalf = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** Holds back the first half of a character until the second has come: some servers send them in two events. */
export function createWholeCharacters() {
  let half = ''
  let of: Phase | undefined

  return {
    /** As much of it as is whole; a half without its other half is left out. */
    add(phase: Phase, text: string): string {
      if (half === '' && !endsInHalf(text)) return text
      const joined = of === phase ? half + text : text
      half = ''
      of = phase
      if (!endsInHalf(joined)) return joined
      half = joined.slice(-1)
      return joined.slice(0, -1)
    }
  }
}
