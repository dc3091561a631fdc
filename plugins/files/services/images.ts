import type { Principal } from 'agent-platform'
import { invalid, unavailable, unsupportedMedia } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Extraction } from '../../extraction/contract.ts'
import type { PromptImage, RunInfo } from '../../runs/contract.ts'
import type { PictureAbout } from '../contract.ts'
import type { File } from '../schemas.ts'
import type { FileService } from './files.ts'

export type Images = ReturnType<typeof createImages>

/** Of images that were made, in bytes: each step of a run asks for all of its own again. */
const KEPT = 67_108_864
const SHOWN = { mediaType: 'image/jpeg', side: 1_024 } as const
const PICTURE = { mediaType: 'image/webp', side: 512, isSquare: true } as const
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp'])

interface Deps {
  extraction: Extraction | undefined
  fileService: FileService
}

/** Images of strangers, decoded and made anew by the process for documents and never by this one. */
export function createImages({ extraction, fileService }: Deps) {
  const made = new LRUCache<string, Buffer>({ maxSize: KEPT, sizeCalculation: ({ length }) => length || 1 })

  /** The file is a picture that can be decoded; what is drawn by its text, as SVG is, counts as text. */
  const isImage = (file: File): boolean =>
    file.mediaType.startsWith('image/') && extraction?.reads(file).image === true

  function decoder(): Extraction {
    if (extraction) return extraction
    throw unavailable('Images need extraction, which is not installed or off', { code: 'capability_missing' })
  }

  /**
   * As models are shown it: a JPEG, for some servers decode no WebP, of 1,024 pixels a side at most. The same bytes of the
   * same file each time, so that prompts stay what they were.
   */
  async function show({ by }: RunInfo, file: File, param?: string): Promise<PromptImage> {
    const { image } = decoder()
    const { name, mediaType, sha256 } = file
    let bytes = made.get(sha256)
    if (!bytes) {
      const content = await fileService.stream(file)
      const document = { name, mediaType, content, ...(param !== undefined && { param }) }
      bytes = Buffer.from((await image(by, document, SHOWN)).body)
      made.set(sha256, bytes)
    }
    return { mediaType: SHOWN.mediaType, bytes }
  }

  async function picture(
    by: Principal,
    bytes: Uint8Array,
    { what, param }: PictureAbout
  ): Promise<Uint8Array> {
    const { image } = decoder()
    const { fileTypeFromBuffer } = await import('file-type')
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
    if (type === undefined || !PICTURES.has(type.mime))
      throw unsupportedMedia(`${what} is a PNG, JPEG or WebP image`, { param })
    const document = { name: 'picture', mediaType: type.mime, content: bytes }
    const { body } = await image(by, document, PICTURE).catch((error) => {
      if (!String(error.code).startsWith('document_')) throw error
      throw invalid(param, 'The image is damaged, or too large to be decoded', 'image_unreadable')
    })
    return body
  }

  return { isImage, show, picture }
}
