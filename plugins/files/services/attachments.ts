import { invalid, unavailable } from 'agent-platform'
import type { Extraction } from '../../extraction/contract.ts'
import type { RequestPart, RoomOfParts, RunInfo } from '../../runs/contract.ts'
import type { FileRow } from '../stores/files.ts'
import type { FileService } from './files.ts'
import type { Images } from './images.ts'

interface Deps {
  extraction: Extraction | undefined
  fileService: FileService
  images: Images
}

/** Files that a run is given: text is read into the context of its model, images are shown to one that takes them. */
export function createAttachments({ extraction, fileService, images }: Deps): RequestPart {
  async function textOf({ by }: RunInfo, file: FileRow, param: string, characters: number): Promise<string> {
    if (!extraction)
      throw unavailable('attachments need extraction, which is not installed or off', {
        code: 'capability_missing',
        param: '/attachments'
      })
    const { name, mediaType, size } = file
    if (!extraction.reads({ name, mediaType }).text)
      throw invalid(
        param,
        `The model cannot be given a file of the type ${mediaType}`,
        'attachment_unsupported'
      )
    const content = await fileService.stream(file)
    const document = { name, mediaType, content, param }
    const limit = Math.max(1, Math.floor(characters))
    const { text, truncated } = await extraction.text(by, document, { characters: limit })
    const more = truncated ? '\n\n[The rest of the file is left out]' : ''
    return `The file ${name} (${file.id}, ${mediaType}, ${size} bytes), which is attached:\n\n${text}${more}`
  }

  const accept: RequestPart['accept'] = async (run, value, room) => {
    const wanted = value as readonly { readonly fileId: string }[]
    const files: Attached[] = []
    for (const [index, { fileId }] of wanted.entries()) {
      const param = `/attachments/${index}/fileId`
      const file = await fileService.find(run.by, fileId, 'read', param)
      files.push({ file, param, isImage: images.isImage(file) })
    }
    const pictures = files.filter(({ isImage }) => isImage)
    const characters = roomBeside(pictures, room)
    // What cannot be decoded is refused here, and not in the middle of the run.
    for (const { file, param } of pictures) await images.show(run, file, param)
    const texts = files.filter(({ isImage }) => !isImage)
    return {
      documents: await documentsOf(run, texts, characters),
      images: pictures.map(({ file }) => ({ fileId: file.id }))
    }
  }

  async function documentsOf(run: RunInfo, files: readonly Attached[], characters: number) {
    const documents: string[] = []
    let room = characters
    for (const [index, { file, param }] of files.entries()) {
      // What one leaves is for those behind it.
      const document = await textOf(run, file, param, room / (files.length - index))
      room -= document.length
      documents.push(document)
    }
    return documents
  }

  return {
    accept,
    async image(run, { fileId }) {
      const file = await fileService.find(run.by, fileId, 'read').catch((error) => {
        if (error.kind === 'notFound' || error.kind === 'forbidden') return undefined
        throw error
      })
      return file && images.show(run, file)
    }
  }
}

interface Attached {
  readonly file: FileRow
  /** What names it in the request. */
  readonly param: string
  readonly isImage: boolean
}

/** What images leave of the room; 400 where the model takes none, or not so many. */
function roomBeside(
  pictures: readonly Pick<Attached, 'param'>[],
  { characters, imageCharacters, model }: RoomOfParts
): number {
  const [first] = pictures
  if (!first) return characters
  const { modelProvider, modelId, inputModalities } = model
  if (!inputModalities?.includes('image'))
    throw invalid(
      first.param,
      `The model ${modelProvider}/${modelId} takes no images`,
      'attachment_unsupported'
    )
  const left = characters - pictures.length * imageCharacters
  if (left < 0)
    throw invalid(
      '/attachments',
      `The context of the model has no room for ${pictures.length} images`,
      'context_exceeded'
    )
  return left
}
