import { createHash } from 'node:crypto'
import type { MediaType } from '../schemas/documents.ts'

/** SHA-256 of a text in hexadecimal, and its bytes. */
export const hashOf = (text: string): { hash: string; size: number } => ({
  hash: createHash('sha256').update(text).digest('hex'),
  size: Buffer.byteLength(text)
})

/** Extensions of the files that can be documents, the usual one of each format first. */
export const extensions: readonly (readonly [extension: string, mediaType: MediaType])[] = [
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

export const extensionOf = (name: string): string =>
  /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** What a file of that name holds; undefined where it is no document. */
export const mediaTypeOf = (name: string): MediaType | undefined =>
  extensions.find(([extension]) => extension === extensionOf(name))?.[1]

/** A file's name, or its path, without the extension of a document. */
export const stemOf = (name: string): string =>
  mediaTypeOf(name) ? name.slice(0, -extensionOf(name).length - 1) : name

/** What may be a title: on one line, of up to 200 characters; empty where nothing is left. */
export const titleOf = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()
    .trim()
