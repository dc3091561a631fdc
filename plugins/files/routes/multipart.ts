import type { Request } from 'agent-platform'
import { closeWhenIdle, invalid, tooLarge, unsupportedMedia } from 'agent-platform'
import type { Incoming } from '../services/uploads.ts'

/** Of the name of a field, and what may stand beside files. */
const NAME_BYTES = 200
const PART_HEADERS = 100

/**
 * The files of a `multipart/form-data` body in the field `file`, one after the other, each as it arrives. 415 for another
 * body, 413 for more files than `most`, 400 for anything else in it.
 */
export async function* filesOf(request: Request, most: number): AsyncGenerator<Incoming> {
  if (!request.isMultipart()) throw unsupportedMedia('The body must be multipart/form-data')
  closeWhenIdle(request.raw)
  const limits = {
    fieldNameSize: NAME_BYTES,
    fieldSize: 0,
    fields: 1,
    fileSize: Number.POSITIVE_INFINITY,
    files: most,
    headerPairs: PART_HEADERS,
    parts: most + 1
  }
  const parts = request.parts({ limits })[Symbol.asyncIterator]()
  let count = 0
  for (;;) {
    const { done, value: part } = await parts.next().catch((error) => {
      throw broken(error, most)
    })
    if (done) break
    if (part.type !== 'file') throw invalid(`/${part.fieldname}`, `/${part.fieldname} is not a file`)
    if (part.fieldname !== 'file') {
      part.file.destroy()
      throw invalid(`/${part.fieldname}`, `/${part.fieldname} is not known: files are sent as file`)
    }
    count++
    const { filename: name, mimetype: mediaType } = part
    yield { source: bytesOf(part.file, most), about: { name, mediaType } }
  }
  if (count === 0) throw invalid('/file', '/file is required')
}

async function* bytesOf(file: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  try {
    yield* file
  } catch (error) {
    throw broken(error, most)
  }
}

/** What the parser says of a body that is none. */
function broken(error: unknown, most: number): Error {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT')
    return tooLarge(`At most ${most} files in a request`, { code: 'too_many_files' })
  return invalid('', 'The body is not multipart/form-data, or was cut off')
}
