import { invalid, unavailable } from 'agent-platform'
import type { Extraction } from '../../extraction/contract.ts'
import type { RequestPart, RunInfo } from '../../runs/contract.ts'
import type { FileRow } from '../stores/files.ts'
import type { FileService } from './files.ts'

interface Deps {
  extraction: Extraction | undefined
  fileService: FileService
}

/** Files that a run is given, read into the context of its model. */
export function createAttachments({ extraction, fileService }: Deps): RequestPart {
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

  return {
    async accept(run, value, characters) {
      const wanted = value as readonly { readonly fileId: string }[]
      const paramOf = (index: number) => `/attachments/${index}/fileId`
      const files: FileRow[] = []
      for (const [index, { fileId }] of wanted.entries())
        files.push(await fileService.find(run.by, fileId, 'read', paramOf(index)))
      const documents: string[] = []
      let room = characters
      for (const [index, file] of files.entries()) {
        // What one leaves is for those behind it.
        const document = await textOf(run, file, paramOf(index), room / (files.length - index))
        room -= document.length
        documents.push(document)
      }
      return { documents }
    }
  }
}
