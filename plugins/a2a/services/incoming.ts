import type { Principal } from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { OrderedMessage } from '../../runs/contract.ts'
import { failed } from '../protocol/errors.ts'
import type { FileContent, Part } from '../protocol/parts.ts'

export type Incoming = ReturnType<typeof createIncoming>

interface Deps {
  files: Files | undefined
  outgoing: Outgoing
}

const MOST_FILES = 10
const MOST_BYTES = 10_485_760
const FETCH_MS = 30_000

/** What parts of a message are to a run: what is asked, data that it may not follow, and files. */
export function createIncoming({ files, outgoing }: Deps) {
  async function messagesOf(by: Principal, parts: readonly Part[]) {
    const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []))
    const data = parts.flatMap((part) => ('data' in part ? [part.data] : []))
    const given = parts.flatMap((part) => ('file' in part ? [part.file] : []))
    if (given.length > MOST_FILES)
      throw failed('INVALID_PARAMS', `A message must not have more than ${MOST_FILES} files`)
    const attachments: { fileId: string }[] = []
    for (const file of given) attachments.push({ fileId: await keep(by, file) })
    const untrusted = data.map(
      (it): OrderedMessage => ({ role: 'user', content: JSON.stringify(it), untrusted: true })
    )
    const asked: OrderedMessage = { role: 'user', content: texts.join('\n\n') || DATA_ALONE }
    return { messages: [...untrusted, asked], ...(attachments.length > 0 && { attachments }) }
  }

  async function keep(by: Principal, file: FileContent): Promise<string> {
    if (!files)
      throw failed('CONTENT_TYPE_NOT_SUPPORTED', 'Files are not taken: files is not installed or off')
    const { bytes, uri, name, mediaType } = file
    const source =
      bytes === undefined ? await fetched(uri as string) : [Buffer.from(bytes, 'base64') as Uint8Array]
    const stored = await files.store(by, toAsync(source), {
      name: name ?? 'file',
      ...(mediaType && { mediaType }),
      maxBytes: MOST_BYTES
    })
    return stored.id
  }

  async function fetched(uri: string): Promise<AsyncIterable<Uint8Array>> {
    const reply = await outgoing.fetch(outgoing.check(uri, '/params/message/parts'), {
      maxBytes: MOST_BYTES,
      timeoutMs: FETCH_MS
    })
    if (reply.ok && reply.body) return reply.body as AsyncIterable<Uint8Array>
    await reply.body?.cancel()
    throw failed('INVALID_PARAMS', `The file at ${new URL(uri).host} could not be read: ${reply.status}`)
  }

  return { messagesOf }
}

const DATA_ALONE = 'See what is given.'

async function* toAsync(source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  yield* source
}
