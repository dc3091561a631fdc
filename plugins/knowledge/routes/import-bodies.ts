import { compileSchema, invalid, parseJson, readForm, unsupportedMedia } from 'agent-platform'
import { Type } from 'typebox'
import type { Source } from '../services/file-sources.ts'

/** Of a form; archives hold more. */
const MOST_FILES = 1_000
const path = Type.String({ minLength: 1, maxLength: 4_000 })
const check = compileSchema(
  Type.Object(
    {
      files: Type.Optional(
        Type.Array(Type.Object({ path, content: Type.String() }, { additionalProperties: false }), {
          minItems: 1,
          maxItems: 10_000
        })
      ),
      fileIds: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 20 }))
    },
    { additionalProperties: false }
  )
)

/** The files of an import, by the content type of its body: JSON, a form, a ZIP archive, or one file. */
export async function readImportBody(
  contentType: string | undefined,
  body: Buffer | undefined,
  path: string | undefined
): Promise<Source[]> {
  const bytes = body ?? Buffer.alloc(0)
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  switch (type) {
    case 'application/json':
      return readJson(parseJson(bytes))
    case 'multipart/form-data':
      return readFiles(contentType as string, bytes)
    case 'application/zip':
    case 'application/x-zip-compressed':
      return [{ path: 'archive.zip', bytes, param: '' }]
    case 'text/markdown':
    case 'text/plain':
    case 'text/html':
    case 'text/csv':
      if (path === undefined) throw invalid('path', 'path is required for a body that is one file')
      return [{ path, bytes, param: 'path' }]
    default:
      throw unsupportedMedia(
        'The body must be application/json, multipart/form-data, application/zip or one text file'
      )
  }
}

function readJson(value: unknown): Source[] {
  const fault = check(value)
  if (fault) throw invalid(fault.at, `${fault.at || 'The body'} ${fault.text}`)
  const { files = [], fileIds = [] } = value as {
    files?: { path: string; content: string }[]
    fileIds?: string[]
  }
  if (files.length + fileIds.length === 0) throw invalid('/files', '/files or /fileIds is required')
  return [
    ...files.map(({ path, content }, index) => ({
      path,
      bytes: Buffer.from(content),
      param: `/files/${index}/path`
    })),
    ...fileIds.map((fileId, index) => ({ fileId, param: `/fileIds/${index}` }))
  ]
}

async function readFiles(contentType: string, body: Buffer): Promise<Source[]> {
  const form = await readForm(contentType, body, MOST_FILES)
  const sources: Source[] = []
  for (const [name, part] of form) {
    if (name !== 'file') throw invalid(`/${name}`, `/${name} is not known: files are sent as file`)
    if (typeof part === 'string') throw invalid('/file', '/file is not a file')
    sources.push({ path: part.name, bytes: Buffer.from(await part.arrayBuffer()), param: '/file' })
  }
  if (sources.length === 0) throw invalid('/file', '/file is required')
  return sources
}
