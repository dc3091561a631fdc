import type { Kernel, Reply, Request } from 'agent-platform'
import { rangeOf } from 'agent-platform'
import type { File } from '../contract.ts'
import { dispositionOf } from '../file-name.ts'
import { contentTypeOf, isShown } from '../media-type.ts'
import type { FileService } from '../services/files.ts'

/** Nothing in it runs, loads or is shown within another page. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

type Sent = Pick<File, 'name' | 'mediaType' | 'size' | 'sha256'>

interface Sending {
  readonly fileService: Pick<FileService, 'stream'>
  readonly detach: Kernel['detach']
}

/** The bytes of a file, or of a range of them, as a stranger's: never run, and shown only where that runs nothing. */
export async function sendContent(
  request: Request,
  reply: Reply,
  file: Sent,
  { fileService, detach }: Sending
) {
  const { headers, method } = request
  const etag = `"${file.sha256}"`
  const { mediaType, name, size } = file
  reply.headers({ etag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' })
  if (names(headers['if-none-match'], etag)) return reply.code(304).send(null)
  const holds = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = holds && method === 'GET' ? rangeOf(headers.range, size) : undefined
  reply.headers({
    'content-type': contentTypeOf(mediaType),
    'content-length': range ? range.end - range.start + 1 : size,
    'content-disposition': dispositionOf(isShown(mediaType) ? 'inline' : 'attachment', name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': POLICY,
    'cross-origin-resource-policy': 'same-origin'
  })
  if (method === 'HEAD') return reply.send(null)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  const stream = await fileService.stream(file, range)
  // A long download ends with the credential or the pack, not with the generation that began it.
  detach(request, () => stream.destroy())
  return reply.send(stream)
}

/** Whether a list of entity tags names this one, also weakly; `*` names each. */
const names = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((given) => ['*', etag].includes(given.trim().replace(/^W\//, ''))) ?? false
