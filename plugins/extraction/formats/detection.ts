import { analyse } from 'chardet'

/** Encodings that are tried even if the detector does not list them, since it needs more text than a short file has. */
const TRIED = [
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1251',
  'x-mac-cyrillic',
  'koi8-u',
  'ibm866',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'windows-1250',
  'windows-1252',
  'macintosh'
]
/** Bytes of the lines that are looked at. */
const SAMPLE = 16_384
/** Share of the characters that must be plausible. */
const PLAUSIBLE = 0.9
/** Confidence, of 100, from which the detector decides between two that are as plausible. */
const SURE = 60

const charactersOf = (label: string, leads: readonly [number, number], trails: readonly [number, number]) => {
  const found = new Set<string>()
  const decoder = new TextDecoder(label)
  for (let lead = leads[0]; lead <= leads[1]; lead++)
    for (let trail = trails[0]; trail <= trails[1]; trail++)
      for (const it of decoder.decode(Uint8Array.of(lead, trail))) found.add(it)
  return found
}
const kana = Array.from({ length: 0x3100 - 0x3041 }, (_, at) => String.fromCharCode(0x3041 + at))
/** The characters in common use, which each of these encodings has in a range of its own. */
const COMMON = new Map([
  ['gb18030', charactersOf('gb18030', [0xb0, 0xd7], [0xa1, 0xfe])],
  ['big5', charactersOf('big5', [0xa4, 0xc6], [0x40, 0xfe])],
  ['shift_jis', new Set([...charactersOf('euc-jp', [0xb0, 0xcf], [0xa1, 0xfe]), ...kana])],
  ['euc-jp', new Set([...charactersOf('euc-jp', [0xb0, 0xcf], [0xa1, 0xfe]), ...kana])],
  ['euc-kr', charactersOf('euc-kr', [0xb0, 0xc8], [0xa1, 0xfe])]
])

/** The encoding that text without a declared one most likely has, as the Encoding standard names it. */
export function encodingOf(bytes: Uint8Array): string | undefined {
  const hasZeros = bytes.subarray(0, SAMPLE).includes(0)
  const sample = hasZeros ? bytes.subarray(0, SAMPLE) : telling(bytes)
  const confidence = new Map<string, number>()
  for (const { name, confidence: much } of hasZeros ? [] : analyse(sample)) {
    const label = labelOf(name)
    if (label) confidence.set(label, Math.max(much, confidence.get(label) ?? 0))
  }
  const labels = hasZeros ? [] : new Set([...confidence.keys(), ...TRIED, 'utf-8'])
  // Of text without ASCII the characters alone tell, and a few may be in common use by accident.
  const wide = bytes.length % 2 === 0 && (hasZeros || bytes.length >= 16) ? ['utf-16le', 'utf-16be'] : []
  const [best, other] = [...wide, ...labels]
    .map((label) => ({
      label,
      plausible: plausibility(label, sample),
      confidence: confidence.get(label) ?? 0
    }))
    .filter(({ plausible }) => plausible >= PLAUSIBLE)
    .sort((a, b) => b.plausible - a.plausible || b.confidence - a.confidence)
  const isOpen = best && other && COMMON.has(best.label) && COMMON.has(other.label)
  // Two encodings give characters in common use, and the text is too short to tell which of them are meant.
  if (isOpen && best.plausible - other.plausible < 0.02 && best.confidence < SURE) return undefined
  return best?.label
}

/** Whether text that declares this encoding may have it. One byte a character takes any bytes. */
export function mayBe(label: string, bytes: Uint8Array): boolean {
  const sample = telling(bytes)
  return COMMON.has(label) || sample.length === 0 || plausibility(label, sample) > 0.5
}

function labelOf(name: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(name)
    // The same letters, and those of Ukrainian.
    return encoding === 'koi8-r' ? 'koi8-u' : encoding
  } catch {
    return undefined
  }
}

/** Lines with bytes beyond ASCII: what else a file has says nothing of its encoding. */
function telling(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let room = SAMPLE
  for (let at = 0; at < bytes.length && room > 0; at++) {
    if ((bytes[at] as number) < 128) continue
    const start = Math.max(bytes.lastIndexOf(10, at) + 1, at - room)
    const end = bytes.indexOf(10, at) + 1 || bytes.length
    const line = bytes.subarray(start, Math.min(end, start + room))
    parts.push(line)
    room -= line.length
    at = end - 1
  }
  return Buffer.concat(parts)
}

/** Share, from 0 to 1, of the characters that stand where a language has them. Of UTF-16 all characters count, else those beyond ASCII. */
function plausibility(label: string, bytes: Uint8Array): number {
  const isUtf16 = label.startsWith('utf-16')
  let text: string
  try {
    // A sample may end within a character; only UTF-8 is told apart by how many characters are broken.
    text = new TextDecoder(label, { fatal: label !== 'utf-8' }).decode(bytes, { stream: true })
  } catch {
    return 0
  }
  if (IMPOSSIBLE.test(text) || (isUtf16 && CONTROL.test(text))) return 0
  const common = COMMON.get(label)
  let [counted, good, signs] = [0, 0, 0]
  let [before, run] = ['', 0]
  const characters = [...text]
  for (const [at, it] of characters.entries()) {
    const isAscii = it < '\u0080'
    if (!isAscii || isUtf16) {
      counted++
      signs += Number(WIDE.test(it))
      if (common) good += Number(common.has(it) || WIDE.test(it))
      else if (isUtf16 && (isAscii || HAN.test(it))) good += Number(isAscii || isCommon(it))
      else if (isUtf16 && WIDE.test(it)) good++
      else good += Number(it !== '\ufffd' && run < 3 && isInPlace(before, it, characters[at + 1] ?? ''))
    }
    run = !isAscii && LATIN.test(it) ? run + 1 : 0
    before = it
  }
  if (counted === 0 || (common && signs > counted / 2)) return 0
  return good / counted - (POLISH.test(text) && CZECH.test(text) ? 0.01 : 0)
}

/** Control characters, characters for private use, and code points without a character: no text has them. */
const IMPOSSIBLE = /[\0\u0080-\u009f\p{Co}\p{Cn}]/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes that are no UTF-16 give them.
const CONTROL = /[\x01-\x08\x0e-\x1a]/
const WIDE =
  /[\u2010-\u2027\u2030-\u203e\u2460-\u24ff\u2500-\u257f\u25a0-\u25ff\u3000-\u301f\u30fb-\u30fe\uff01-\uff5e]/
/** Of two encodings of Central Europe, the one that mixes them is the wrong one. */
const [POLISH, CZECH] = [/[łęąż]/, /[šřěůľť]/]
const HAN = /[\p{Script=Han}\p{Script=Hangul}]/u
const LATIN = /\p{Script=Latin}/u
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai'].map(
  (it) => new RegExp(`\\p{Script=${it}}`, 'u')
)
const JOINS = /[\u00ad\u00b7\u2010-\u2015\u2018\u2019\u2026]/
const isLetter = (it: string) => /[\p{L}\p{M}]/u.test(it)
const isCommon = (it: string) => COMMON.values().some((characters) => characters.has(it))
const scriptOf = (it: string) => SCRIPTS.findIndex((script) => script.test(it))

/** Whether words are written so: of one script, without signs in them, and without capitals after small letters. */
function isInPlace(before: string, it: string, after: string): boolean {
  const [isAfter, isBefore] = [isLetter(before), isLetter(after)]
  if (!isLetter(it)) {
    if (/[²³]/.test(it) && before === 'm') return true
    if (/[\p{Sc}\p{No}]/u.test(it)) return !isAfter && !isBefore
    return !(isAfter && isBefore) || JOINS.test(it)
  }
  if (/\p{M}/u.test(it)) return isAfter
  if (isAfter && scriptOf(before) !== scriptOf(it)) return false
  if (isBefore && !/\p{M}/u.test(after) && scriptOf(after) !== scriptOf(it)) return false
  if (isAfter && /\p{Ll}/u.test(before) && /\p{Lu}/u.test(it)) return false
  return !(isBefore && /\p{Ll}/u.test(it) && /\p{Lu}/u.test(after))
}
