import { invalid, parseJson, unsupportedMedia } from 'agent-platform'
import type { TProperties } from 'typebox'
import { Type } from 'typebox'
import { schemaCheck } from '../format/schema-check.ts'
import { skillName } from '../schemas/definition.ts'
import { NewSkill } from '../schemas/skills.ts'
import type { Imported } from '../services/imports.ts'

/** A file, a slug, the end, and what makes for a better message. */
const MAX_PARTS = 10
const MAX_HEADERS = 8_192
const LAST = Buffer.from('--')

const shape = (part: TProperties) =>
  schemaCheck(Type.Object({ slug: Type.Optional(skillName), ...part }, { additionalProperties: false }))
const text = Type.String({ minLength: 1 })
const checks = {
  content: shape({ content: text }),
  archive: shape({ archive: text }),
  definition: shape({ definition: NewSkill }),
  itself: schemaCheck(NewSkill)
}
const checkSlug = schemaCheck(skillName)

/** The body of an import, by its content type: a form with a file, JSON, or the file itself. */
export async function readImport(contentType: string | undefined, body: Buffer): Promise<Imported> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  switch (type) {
    case 'multipart/form-data':
      return readForm(contentType as string, body)
    case 'application/zip':
    case 'application/x-zip-compressed':
    case 'application/octet-stream':
    case 'text/markdown':
    case 'text/x-markdown':
    case 'text/plain':
      return { bytes: body, param: '' }
    case 'application/json':
      return readJson(parseJson(body))
    default:
      throw unsupportedMedia(
        'The body must be multipart/form-data, application/json, application/zip or text/markdown'
      )
  }
}

function readJson(value: unknown): Imported {
  const kind = (['content', 'archive', 'definition'] as const).find(
    (name) => typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  )
  const fault = checks[kind ?? 'itself'](value)
  if (fault) throw invalid(fault.at, `${fault.at || 'The body'} ${fault.text}`)
  const given = value as { slug?: string; content: string; archive: string; definition: NewSkill }
  switch (kind) {
    case 'content':
      return { slug: given.slug, bytes: Buffer.from(given.content), param: '/content' }
    case 'archive':
      return { slug: given.slug, bytes: Buffer.from(given.archive, 'base64'), param: '/archive' }
    case 'definition':
      return { slug: given.slug ?? given.definition.slug, definition: given.definition }
    default:
      return { slug: given.slug, definition: value as NewSkill }
  }
}

async function readForm(contentType: string, body: Buffer): Promise<Imported> {
  refuseFlood(contentType, body)
  const headers = { 'content-type': contentType }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw invalid('', 'The body is not the form that its content type says')
  })
  for (const name of new Set(form.keys()))
    if (name !== 'file' && name !== 'slug') throw invalid(`/${name}`, `/${name} is not known`)
    else if (form.getAll(name).length > 1) throw invalid(`/${name}`, `/${name} is there twice`)
  const file = form.get('file')
  if (file === null) throw invalid('/file', '/file is required')
  const bytes = typeof file === 'string' ? Buffer.from(file) : Buffer.from(await file.arrayBuffer())
  const slug = form.get('slug') ?? undefined
  const fault = slug === undefined ? undefined : checkSlug(slug)
  if (fault) throw invalid('/slug', `/slug ${fault.text}`)
  return { slug: slug as string | undefined, bytes, param: '/file' }
}

/** Parsing a form holds up everybody else: for a second, if millions of parts or headers were let through. */
function refuseFlood(contentType: string, body: Buffer): void {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const delimiter = `--${quoted ?? plain ?? ''}`
  let parts = 0
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (++parts > MAX_PARTS) throw invalid('', 'The form has too many parts')
    const isLast = body.subarray(at + delimiter.length, at + delimiter.length + 2).equals(LAST)
    if (!isLast && !body.subarray(at, at + MAX_HEADERS).includes('\r\n\r\n'))
      throw invalid('', 'A part of the form has headers without an end')
  }
}
