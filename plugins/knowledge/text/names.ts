import { createHash } from 'node:crypto'
import type { MediaType } from '../schemas/documents.ts'

/** SHA-256 of a text in hexadecimal, and its bytes. */
export const hashOf = (text: string): { hash: string; size: number } => ({
  hash: createHash('sha256').update(text).digest('hex'),
  size: Buffer.byteLength(text)
})

const extensions: readonly (readonly [extension: string, mediaType: MediaType])[] = [
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['mdx', 'text/markdown'],
  ['txt', 'text/plain'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['csv', 'text/csv'],
  ['pdf', 'application/pdf'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document']
]

/** The file name of what has that title. */
export function nameOf(title: string, mediaType: MediaType): string {
  const extension = extensions.find(([, type]) => type === mediaType)?.[0] ?? 'md'
  return `${title.replaceAll(/[/\\]/g, '-').slice(0, 190).trim()}.${extension}`
}
