import { unavailable } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Extraction } from '../../extraction/contract.ts'
import type { PromptImage, RunInfo } from '../../runs/contract.ts'
import type { File } from '../schemas.ts'
import type { FileService } from './files.ts'
import { jpegOf } from './pictures.ts'

export type Images = ReturnType<typeof createImages>

/** Of images that were made, in bytes: each step of a run asks for all of its own again. */
const KEPT = 67_108_864

interface Deps {
  extraction: Extraction | undefined
  fileService: FileService
}

/** Images of files as models are shown them: without metadata, 1,024 pixels a side at most. */
export function createImages({ extraction, fileService }: Deps) {
  const made = new LRUCache<string, Buffer>({ maxSize: KEPT, sizeCalculation: ({ length }) => length || 1 })

  /** The file is a picture that can be decoded; what is drawn by its text, as SVG is, counts as text. */
  function isImage(file: File): boolean {
    if (!file.mediaType.startsWith('image/') || !extraction) return false
    const { text, preview } = extraction.reads(file)
    return preview && !text
  }

  /** The same bytes of the same file each time, so that prompts stay what they were. */
  async function show({ by }: RunInfo, file: File, param?: string): Promise<PromptImage> {
    if (!extraction)
      throw unavailable('Images need extraction, which is not installed or off', {
        code: 'capability_missing'
      })
    const { name, mediaType, sha256 } = file
    let bytes = made.get(sha256)
    if (!bytes) {
      const content = await fileService.stream(file)
      const document = { name, mediaType, content, ...(param !== undefined && { param }) }
      bytes = await jpegOf((await extraction.preview(by, document)).body)
      made.set(sha256, bytes)
    }
    return { mediaType: 'image/jpeg', bytes }
  }

  return { isImage, show }
}
