import { isUtf8 } from 'node:buffer'
import type { FormatInput } from '../contract.ts'
import { refused } from '../questions.ts'
import { clean } from '../results.ts'

const MARKS: readonly [readonly number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be']
]

interface Decoded {
  readonly text: string
  readonly warnings: readonly string[]
}

/** The characters of a document: by its byte order mark, by what it says, as UTF-8, else as Windows-1252. */
export function decode({ bytes, charset }: Pick<FormatInput, 'bytes' | 'charset'>): Decoded {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1]
  const named = marked ?? known(charset)
  if (named) return decoded(named, bytes, [])
  if (isUtf8(bytes)) return decoded('utf-8', bytes, [])
  return decoded('windows-1252', bytes, ['The characters are read as Windows-1252, which was guessed'])
}

function decoded(label: string, bytes: Uint8Array, warnings: readonly string[]): Decoded {
  const text = new TextDecoder(label).decode(bytes)
  if (text.slice(0, 65_536).includes('\0')) throw refused('document_broken', 'holds what no text does')
  return { text: clean(text), warnings }
}

/** A charset that there is, as the Encoding standard calls it. */
function known(charset: string | undefined): string | undefined {
  try {
    return charset && new TextDecoder(charset).encoding
  } catch {
    return undefined
  }
}
