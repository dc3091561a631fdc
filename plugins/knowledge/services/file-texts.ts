import type { Owned } from 'agent-platform'
import { invalid, tooLarge, unavailable } from 'agent-platform'
import type { Extraction } from '../../extraction/contract.ts'
import type { ImportFile } from '../stores/imports.ts'

export type FileTexts = ReturnType<typeof createFileTexts>

const utf8 = new TextDecoder('utf-8', { fatal: true })

interface FileText {
  readonly text: string
  readonly title?: string
  /** Where each page begins. */
  readonly pages?: readonly number[]
}

/** The text of a file: Markdown and plain text as they are, other formats by the pack that reads documents. */
export function createFileTexts({ extraction }: { extraction: Extraction | undefined }) {
  async function read(
    by: Owned,
    { path, mediaType, bytes }: ImportFile,
    most: number,
    signal?: AbortSignal
  ): Promise<FileText> {
    if (mediaType === 'text/markdown' || mediaType === 'text/plain') return { text: decode(bytes, most) }
    if (!extraction)
      throw unavailable('The pack extraction is off, which reads such documents', {
        code: 'capability_missing'
      })
    const name = path.slice(path.lastIndexOf('/') + 1)
    const found = await extraction.text(by, { name, mediaType, content: bytes }, { characters: most }, signal)
    if (found.truncated) throw tooLong(`The document has more than ${most} characters, or too many pages`)
    return {
      // As long as before: pages are told by their places.
      text: found.text.replaceAll('\0', ' '),
      ...(found.title && { title: found.title }),
      ...(found.pages && { pages: found.pages.map(({ start }) => start) })
    }
  }

  return { read }
}

function decode(bytes: Buffer, most: number): string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('', 'The file is not UTF-8', 'not_utf8')
  }
  if (text.length > most) throw tooLong(`The text is longer than ${most} characters`)
  return text.replaceAll('\0', '')
}

const tooLong = (message: string) => tooLarge(message, { code: 'text_too_long' })
