import { readArchive } from 'agent-platform/archives'
import mammoth from 'mammoth'
import type { FormatInput, FormatPreview, FormatText } from '../contract.ts'
import type { DocumentFault } from '../questions.ts'
import { refused } from '../questions.ts'
import { htmlOf, markdownOf, treeOf } from './html.ts'

/** Of the archive that a document is. */
const LIMITS = { entries: 2_000, bytes: 134_217_728, fileBytes: 33_554_432, ratio: 200 }
const MAIN = 'word/document.xml'

export async function text(document: FormatInput): Promise<FormatText> {
  const until = performance.now() + document.limits.milliseconds
  const { tree, ...known } = await read(document)
  return { ...known, ...markdownOf(tree, document.limits, until) }
}

export async function preview(document: FormatInput): Promise<FormatPreview> {
  const { tree, ...known } = await read(document)
  return { ...known, ...htmlOf(tree) }
}

async function read({ bytes }: FormatInput) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const known = await examine(buffer)
  let images = 0
  const leftOut = mammoth.images.imgElement(async () => {
    images++
    return { src: '' }
  })
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: leftOut })
  const warnings = images === 0 ? [] : [`Images are left out: ${images}`]
  return { ...known, tree: treeOf(value).tree, warnings }
}

/** Unpacks all of it once, within caps: the library that reads it has none. */
async function examine(archive: Buffer): Promise<{ title?: string }> {
  let hasMain = false
  let title: string | undefined
  try {
    for await (const file of readArchive(archive, LIMITS)) {
      if (file.path === MAIN) hasMain = true
      if (file.path === 'docProps/core.xml') title = titleIn((await file.read()).toString())
      else for await (const _ of file.open());
    }
  } catch (error) {
    throw refused(codeOf(error), codeOf(error) === 'document_too_large' ? 'unpacks to too much' : 'is broken')
  }
  if (!hasMain) throw refused('document_broken', 'is no DOCX document')
  return title === undefined ? {} : { title }
}

const codeOf = (error: unknown): DocumentFault =>
  (error as { code?: string }).code === 'archive_too_large' ? 'document_too_large' : 'document_broken'

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
const titleIn = (xml: string) =>
  /<dc:title>([^<]{1,500})<\/dc:title>/
    .exec(xml.slice(0, 100_000))?.[1]
    ?.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => NAMED[name] ?? '')
