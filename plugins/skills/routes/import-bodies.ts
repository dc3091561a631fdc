import { invalid, parseJson, readForm, unsupportedMedia } from 'agent-platform'
import type { TProperties } from 'typebox'
import { Type } from 'typebox'
import { schemaCheck } from '../format/schema-check.ts'
import { skillName } from '../schemas/definition.ts'
import { NewSkill } from '../schemas/skills.ts'
import type { Imported } from '../services/imports.ts'

/** A file, a slug, and what makes for a better message. */
const MAX_PARTS = 10

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
      return readFields(contentType as string, body)
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

async function readFields(contentType: string, body: Buffer): Promise<Imported> {
  const form = await readForm(contentType, body, MAX_PARTS)
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
