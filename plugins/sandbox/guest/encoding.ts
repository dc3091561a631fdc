const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter.charCodeAt(0), value]))
/** Arguments of one call of `String.fromCharCode`. */
const SLICE = 8_192

/** The bytes of what holds bytes, or of a text in UTF-8. */
export function bytesOf(data: unknown): Uint8Array<ArrayBuffer> {
  if (typeof data === 'string') return utf8Of(data)
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (ArrayBuffer.isView(data))
    return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)
  throw new TypeError('Bytes are an ArrayBuffer or a view of one')
}

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let n = 0; n < bytes.length; n += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[n], bytes[n + 1], bytes[n + 2]]
    const [third, fourth] = [n + 1 < bytes.length, n + 2 < bytes.length]
    parts.push(
      (ALPHABET[a >> 2] as string) +
        ALPHABET[((a & 3) << 4) | (b >> 4)] +
        (third ? ALPHABET[((b & 15) << 2) | (c >> 6)] : '=') +
        (fourth ? ALPHABET[c & 63] : '=')
    )
  }
  return parts.join('')
}

export function fromBase64(given: string): Uint8Array<ArrayBuffer> {
  const spaceless = given.replace(/[\t\n\f\r ]/g, '')
  const text = spaceless.length % 4 === 0 ? spaceless.replace(/={1,2}$/, '') : spaceless
  if (text.length % 4 === 1) throw new TypeError('It is not base64')
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let [bits, held, at] = [0, 0, 0]
  for (let n = 0; n < text.length; n++) {
    const value = VALUES.get(text.charCodeAt(n))
    if (value === undefined) throw new TypeError('It is not base64')
    held = ((held << 6) | value) & 0xffffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >> bits) & 255
  }
  return bytes
}

/** Of a string whose characters stand for bytes. */
export function btoa(data: unknown): string {
  const text = String(data)
  const bytes = new Uint8Array(text.length)
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    if (code > 255) throw new RangeError('btoa takes characters up to U+00FF')
    bytes[n] = code
  }
  return toBase64(bytes)
}

export const atob = (data: unknown): string => charactersOf(fromBase64(String(data)))

function charactersOf(codes: Uint8Array | readonly number[]): string {
  let text = ''
  for (let n = 0; n < codes.length; n += SLICE)
    text += String.fromCharCode.apply(null, codes.slice(n, n + SLICE) as number[])
  return text
}

export function utf8Of(given: string): Uint8Array<ArrayBuffer> {
  const text = given.toWellFormed()
  const bytes = new Uint8Array(text.length * 3)
  let at = 0
  for (let n = 0; n < text.length; n++) {
    const code = text.codePointAt(n) as number
    if (code < 0x80) bytes[at++] = code
    else if (code < 0x800) at = put(bytes, at, code, 1, 0xc0)
    else if (code < 0x10000) at = put(bytes, at, code, 2, 0xe0)
    else {
      at = put(bytes, at, code, 3, 0xf0)
      n++
    }
  }
  return bytes.slice(0, at)
}

function put(bytes: Uint8Array, at: number, code: number, more: number, mark: number): number {
  bytes[at] = mark | (code >> (6 * more))
  for (let n = 1; n <= more; n++) bytes[at + n] = 0x80 | ((code >> (6 * (more - n))) & 63)
  return at + more + 1
}

/** The least code of a sequence that long: what is less was written longer than it may be. */
const LEAST = [0, 0x80, 0x800, 0x10000]

/** UTF-8 as a text; what is none of it is U+FFFD, as the Encoding Standard has it, or throws where it is `fatal`. */
export function textOf(bytes: Uint8Array, fatal = false): string {
  const units: number[] = []
  for (let n = 0; n < bytes.length; ) {
    const first = bytes[n++] as number
    const more =
      first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1
    let code = more < 1 ? first : first & (0x3f >> more)
    let left = more
    for (; left > 0 && isNext(bytes[n], first, left === more); left--)
      code = (code << 6) | ((bytes[n++] as number) & 63)
    if (left !== 0 || code < (LEAST[more] as number)) {
      if (fatal) throw new TypeError('It is not UTF-8')
      units.push(0xfffd)
    } else if (code > 0xffff) units.push(0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff))
    else units.push(code)
  }
  return charactersOf(units)
}

/** Whether a byte goes on with a sequence: some first ones narrow what the second may be. */
function isNext(byte: number | undefined, first: number, isSecond: boolean): boolean {
  if (byte === undefined) return false
  const least = isSecond && first === 0xe0 ? 0xa0 : isSecond && first === 0xf0 ? 0x90 : 0x80
  const most = isSecond && first === 0xed ? 0x9f : isSecond && first === 0xf4 ? 0x8f : 0xbf
  return byte >= least && byte <= most
}

export class TextEncoder {
  readonly encoding = 'utf-8'
  encode(text: unknown = ''): Uint8Array {
    return utf8Of(String(text))
  }
}

/** UTF-8, of whole texts. */
export class TextDecoder {
  readonly encoding = 'utf-8'
  readonly fatal: boolean
  readonly ignoreBOM: boolean

  constructor(label: string = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    if (!/^\s*utf-?8\s*$/i.test(label)) throw new RangeError('Texts are UTF-8')
    this.fatal = options.fatal === true
    this.ignoreBOM = options.ignoreBOM === true
  }

  decode(data: unknown = new ArrayBuffer(0)): string {
    const text = textOf(bytesOf(data), this.fatal)
    return !this.ignoreBOM && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }
}
