import type { Part } from '@a2a-js/sdk'
import type { Files } from '../../files/contract.ts'
import type { Call } from '../../tools/contract.ts'

/** Of one task; of further ones is told how large they are. */
const MOST_FILES = 50

/** Files that came along are kept, where files are; else it is told that there were some. Ends with the call. */
export async function keepFiles(
  files: Files | undefined,
  parts: readonly Part[],
  call: Call
): Promise<readonly object[]> {
  const given: object[] = []
  for (const part of parts.filter(isFile)) {
    call.signal.throwIfAborted()
    given.push(files && given.length < MOST_FILES ? await keep(files, part, call) : toldOf(part))
  }
  return given
}

async function keep(files: Files, part: Part, { by, id, run }: Call): Promise<object> {
  const { content, filename: name, mediaType } = part
  if (content?.$case !== 'raw') return toldOf(part)
  const chain = [{ type: 'call', id }, ...(run ? [{ type: 'run', id: run.id }] : [])]
  const about = {
    name: name || 'file',
    ...(mediaType && { mediaType }),
    origin: { type: 'tool', chain } as const
  }
  const stored = await files.store(by, one(content.value), about)
  return { name, mediaType, fileId: stored.id }
}

async function* one(bytes: Uint8Array) {
  yield bytes
}

const isFile = ({ content }: Part) => content?.$case === 'raw' || content?.$case === 'url'

/** Of a file that is not kept. */
const toldOf = ({ content, filename: name, mediaType }: Part): object =>
  content?.$case === 'url'
    ? { name, mediaType, url: content.value }
    : { name, mediaType, bytes: content?.$case === 'raw' ? content.value.length : 0 }
