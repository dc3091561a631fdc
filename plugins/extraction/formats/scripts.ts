const pairs = (plain: string, written: string) => {
  const characters = [...written]
  return [...plain].map((it, at) => [it, characters[at] as string] as const)
}
const RAISED = new Map([
  ...pairs('0123456789+-−–=()', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾'),
  ...pairs('abcdefghijklmnoprstuvwxyz', 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ')
])
const LOWERED = new Map([
  ...pairs('0123456789+-−–=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎'),
  ...pairs('aehijklmnoprstuvx', 'ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ')
])
const MARKS = new Map([
  ['tm', '™'],
  ['sm', '℠']
])
const ORDINAL = /^(?:st|nd|rd|th|er|re|ère|ers|es|ème|eme|me|os|as)$/i

const mapped = (text: string, by: ReadonlyMap<string, string>) => {
  const characters = [...text].map((it) => by.get(it))
  return characters.includes(undefined) ? undefined : characters.join('')
}

/** A part of a formula, in parentheses unless it is one number or name. */
export const grouped = (text: string) => (/^[\p{L}\p{M}\p{N}.]*$/u.test(text) ? text : `(${text})`)

/**
 * Text that stands higher than `before`: in the superscripts of Unicode where all its characters have one, else behind `^`. Never plain
 * digits, which would make another number of `before`.
 */
export function superscript(text: string, before = ''): string {
  const raised = text.trim()
  if (/^(?:\[.*\]|[^\p{L}\p{N}]*)$/u.test(raised) && mapped(raised, RAISED) === undefined) return raised
  const mark = MARKS.get(raised.toLowerCase())
  if (mark) return mark
  if (ORDINAL.test(raised) && /\d$/.test(before)) return raised
  // Several notes at one place.
  if (/^\d+(?:\s?[,;–-]\s?\d+)+$/.test(raised) && !/\d$/.test(before)) return `[${raised}]`
  return mapped(raised, RAISED) ?? `^${grouped(raised)}`
}

/** Text that stands lower: in the subscripts of Unicode, else behind `_`. */
export function subscript(text: string): string {
  const lowered = text.trim()
  if (lowered === '') return ''
  // A name in small letters cannot be searched.
  const isName = /\p{L}{2}/u.test(lowered)
  return (isName ? undefined : mapped(lowered, LOWERED)) ?? `_${grouped(lowered)}`
}
