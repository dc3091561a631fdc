import type { Principal } from 'agent-platform'
import { invalid, readArchive, tooLarge, unavailable } from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import { isFileName } from '../schemas/folders.ts'
import type { Import } from '../schemas/imports.ts'
import type { ImportFile } from '../stores/imports.ts'
import { extensionOf, extensions, mediaTypeOf } from '../text/names.ts'

export type FileSources = ReturnType<typeof createFileSources>

/** Something of a body: bytes under a path, or a file that was uploaded before. */
export type Source =
  | { readonly path: string; readonly bytes: Buffer; readonly param: string; readonly fileId?: never }
  | { readonly fileId: string; readonly param: string; readonly path?: never }

/** The files to import, and those that are not imported, with the reason for each. */
export interface Gathered extends Pick<Import, 'skipped' | 'skippedFiles'> {
  readonly files: readonly ImportFile[]
}

const MOST_SKIPPED = 1_000
const LIMITS = { entries: 10_000, bytes: 268_435_456, fileBytes: 33_554_432 }

/** The documents of what was sent, archives unpacked. */
export function createFileSources({ files }: { files: Files | undefined }) {
  async function gather(by: Principal, sources: readonly Source[], within: string): Promise<Gathered> {
    const found: ImportFile[] = []
    const skipped: Import['skippedFiles'] = []
    const add = (path: string, bytes: Buffer, param: string, fileId: string | null = null) => {
      const place = within + placeOf(path, param)
      const mediaType = mediaTypeOf(place)
      if (isHidden(place)) skipped.push({ path: place, ...REASONS.hidden })
      else if (!mediaType) skipped.push({ path: place, ...reasonOf(place) })
      else found.push({ ordinal: found.length, path: place, mediaType, fileId, bytes })
      if (found.length > LIMITS.entries)
        throw tooLarge(`At most ${LIMITS.entries} documents an import`, { param, code: 'too_many_files' })
    }
    for (const source of sources) {
      const { path, bytes, fileId } = await opened(by, source)
      if (!/\.zip$/i.test(path)) add(path, bytes, source.param, fileId)
      else
        for await (const file of readArchive(bytes, LIMITS, source.param))
          add(file.path, await file.read(), source.param)
    }
    // Nobody chose hidden files one by one.
    const listed = skipped.toSorted((a, b) => Number(a.code === 'hidden') - Number(b.code === 'hidden'))
    return { files: found, skipped: skipped.length, skippedFiles: listed.slice(0, MOST_SKIPPED) }
  }

  async function opened(by: Principal, source: Source) {
    if (source.fileId === undefined) return { path: source.path, bytes: source.bytes, fileId: null }
    const { fileId, param } = source
    if (!files)
      throw unavailable('The pack files is off, which keeps uploads', { code: 'capability_missing' })
    const file = await files.find(by, fileId, 'read', param)
    return { path: file.name, bytes: await files.read(file, LIMITS.fileBytes), fileId }
  }

  return { gather }
}

function placeOf(path: string, param: string): string {
  const segments = path.replace(/^\.?\//, '').split('/')
  if (!segments.every(isFileName)) throw invalid(param, 'The path is none of a file', 'bad_path')
  return segments.join('/')
}

/** Files that editors and operating systems keep in addition to documents. */
const isHidden = (path: string): boolean => path.split('/').some((name) => name.startsWith('.'))

const REASONS = {
  hidden: { code: 'hidden', message: 'Hidden files are not imported' },
  image: {
    code: 'no_text',
    message: 'Images are not imported: the platform does not recognize text in images'
  },
  format: {
    code: 'format_unsupported',
    message: `The format is not supported. Supported: ${extensions.map(([it]) => `.${it}`).join(', ')}, and .zip with these`
  }
}
const IMAGES = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'tif', 'tiff', 'heic', 'ico'])
const reasonOf = (path: string) => (IMAGES.has(extensionOf(path)) ? REASONS.image : REASONS.format)
