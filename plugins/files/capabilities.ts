import { Closed, invalid } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { File } from './schemas.ts'
import type { FileService } from './services/files.ts'

interface Deps {
  fileService: FileService
}

/** Of bytes that pass between apps and the platform: a message has 1 MiB, and base64 adds a third. */
const MAX_BYTES = 524_288

const AppFile = Type.Pick(File, ['id', 'name', 'mediaType', 'size', 'sha256', 'createdAt'])
const ReadParams = Closed({
  fileId: Type.String({ maxLength: 128 }),
  as: Type.Optional(Type.Enum(['text', 'base64'], { default: 'text', description: '`text`: as UTF-8' }))
})
const StoreParams = Closed({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  text: Type.Optional(Type.String({ maxLength: MAX_BYTES })),
  base64: Type.Optional(
    Type.String({ maxLength: Math.ceil(MAX_BYTES / 3) * 4, pattern: '^[A-Za-z0-9+/]*={0,2}$' })
  ),
  mediaType: Type.Optional(
    Type.String({ maxLength: 200, description: 'Counts for kinds of text alone: else the bytes tell' })
  )
})

export const readCapability = ({ fileService }: Deps): Capability<Static<typeof ReadParams>> => ({
  title: 'Read a file',
  description: `A file with its bytes, at most ${MAX_BYTES.toLocaleString('en')}: 413 for a larger one`,
  risk: 'high',
  reaches: 'Reads the files that you can read, where it knows their ids',
  params: ReadParams,
  result: Type.Object({
    ...AppFile.properties,
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String())
  }),
  idempotent: true,
  async call(by, { fileId, as = 'text' }) {
    const file = await fileService.find(by, fileId, 'read', '/fileId')
    const bytes = await fileService.read(file, MAX_BYTES)
    return { ...file, ...(as === 'text' ? { text: bytes.toString() } : { base64: bytes.toString('base64') }) }
  }
})

/** Its provenance names the app. */
export const storeCapability = ({ fileService }: Deps): Capability<Static<typeof StoreParams>> => ({
  title: 'Store a file',
  description: `Keeps \`text\` or \`base64\`, at most ${MAX_BYTES.toLocaleString('en')} bytes, as a file of the caller`,
  risk: 'medium',
  reaches: 'Adds files to your library, within your quota',
  params: StoreParams,
  result: AppFile,
  call(by, { text, base64, ...about }, { appId }) {
    if ((text === undefined) === (base64 === undefined))
      throw invalid('/params', 'Either /params/text or /params/base64 is needed')
    const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text)
    const origin = { type: 'upload', chain: [{ type: 'app', id: appId }] } as const
    return fileService.store(by, once(bytes), { ...about, maxBytes: MAX_BYTES, origin })
  }
})

async function* once(bytes: Uint8Array) {
  yield bytes
}
