import { isUtf8 } from 'node:buffer'
import type { Owned } from 'agent-platform'
import { invalid, tooLarge, unavailable } from 'agent-platform'
import type { Extraction } from '../../extraction/contract.ts'
import type { ImportFile } from '../stores/imports.ts'

export type FileTexts = ReturnType<typeof createFileTexts>

const utf8 = new TextDecoder()

interface FileText {
  readonly text: string
  readonly title?: string
  /** Where each page begins. */
  readonly pages?: readonly number[]
  readonly warnings: readonly string[]
}

/** The text of a file. Markdown and plain text in UTF-8 are read as they are, everything else by the pack `extraction`. */
export function createFileTexts({ extraction }: { extraction: Extraction | undefined }) {
  async function read(
    by: Owned,
    { path, mediaType, bytes }: ImportFile,
    most: number,
    signal?: AbortSignal
  ): Promise<FileText> {
    const isPlain = mediaType === 'text/markdown' || mediaType === 'text/plain'
    // UTF-16 without a mark passes for UTF-8 with a NUL in each character.
    if (isPlain && isUtf8(bytes) && !bytes.includes(0)) {
      const text = utf8.decode(bytes)
      if (text.length > most) throw tooLarge(tooLong(most), { code: 'text_too_long' })
      return { text, warnings: [] }
    }
    if (!extraction && isPlain)
      throw invalid(
        '',
        'The file is not UTF-8, and the pack extraction, which reads other encodings, is off',
        'not_utf8'
      )
    if (!extraction)
      throw unavailable('The pack extraction is off, which reads such documents', {
        code: 'capability_missing'
      })
    const name = path.slice(path.lastIndexOf('/') + 1)
    const found = await extraction.text(by, { name, mediaType, content: bytes }, { characters: most }, signal)
    if (found.truncated) throw tooLarge(tooLong(most), { code: 'text_too_long' })
    return {
      // As long as before: pages are told by their places.
      text: found.text.replaceAll('\0', ' '),
      ...(found.title && !isPlain && { title: found.title }),
      ...(found.pages && { pages: found.pages.map(({ start }) => start) }),
      warnings: found.warnings
    }
  }

  return { read }
}

const tooLong = (most: number) => `The document has more than ${most} characters, or too many pages`
