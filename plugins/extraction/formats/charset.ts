import { isUtf8 } from 'node:buffer'
import type { FormatInput } from '../contract.ts'
import { refused } from '../questions.ts'
import { clean } from '../results.ts'
import { encodingOf, mayBe } from './detection.ts'

const MARKS: readonly [readonly number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be']
]
/** Share of the characters that may be broken: more are another encoding, or no text. */
const BROKEN = 0.01

interface Decoded {
  readonly text: string
  readonly warnings: readonly string[]
}

/**
 * The characters of a document: by its byte order mark; as UTF-8 where its bytes beyond ASCII are that; by the encoding that it
 * declares; else by an encoding that is detected, which is a warning.
 *
 * @throws `encoding_unknown` for bytes that are no text in any of these.
 */
export function decode({ bytes, charset }: Pick<FormatInput, 'bytes' | 'charset'>): Decoded {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1]
  if (marked) return decoded(marked, bytes)
  const named = known(charset ?? declared(bytes))
  const is8Bit = !isUtf8(bytes)
  // What declares one byte a character takes any bytes: those of UTF-8 are no accident.
  if (named && (is8Bit || isAscii(bytes)) && !named.startsWith('utf-16')) {
    const found = mayBe(named, bytes) ? attempt(named, bytes) : undefined
    if (found) return found
  }
  if (named?.startsWith('utf-16') && bytes.includes(0)) return decoded(named, bytes)
  if (!is8Bit && !bytes.includes(0)) return decoded(hasEscapes(bytes) ? 'iso-2022-jp' : 'utf-8', bytes)
  const detected = encodingOf(bytes)
  if (!detected && bytes.includes(0)) throw refused('document_broken', 'holds what no text does')
  if (!detected) throw unknown()
  const { text, warnings } = decoded(detected, bytes)
  return { text, warnings: [`The encoding was detected: ${detected}`, ...warnings] }
}

function attempt(label: string, bytes: Uint8Array): Decoded | undefined {
  try {
    return decoded(label, bytes)
  } catch (error) {
    if ((error as { code?: string }).code !== 'encoding_unknown') throw error
    return undefined
  }
}

function decoded(label: string, bytes: Uint8Array): Decoded {
  const text = new TextDecoder(label).decode(bytes)
  if (text.slice(0, 65_536).includes('\0')) throw refused('document_broken', 'holds what no text does')
  const broken = isUtf8(bytes) ? 0 : text.split('\ufffd').length - 1
  if (broken > text.length * BROKEN) throw unknown()
  return { text: clean(text), warnings: broken > 0 ? [`Characters that could not be read: ${broken}`] : [] }
}

const unknown = () => refused('encoding_unknown', 'has an unknown character encoding. Save it as UTF-8')
const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte < 128)
/** Of Japanese in seven bits. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence is what tells it.
const hasEscapes = (bytes: Uint8Array) => /\x1b\$[@B]/.test(headOf(bytes))

const headOf = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_096)).toString('latin1')

/** The encoding that an XML declaration names. */
const declared = (bytes: Uint8Array): string | undefined =>
  /^\s{0,20}<\?xml\s[^>]{0,200}encoding\s{0,5}=\s{0,5}["']([\w.:-]{1,40})/i.exec(headOf(bytes))?.[1]

/** A charset that there is, as the Encoding standard calls it. */
function known(charset: string | undefined): string | undefined {
  try {
    return charset && new TextDecoder(charset).encoding
  } catch {
    return undefined
  }
}
