import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { FormatInput, FormatPreview, FormatText, PagePosition } from '../contract.ts'
import { refused } from '../questions.ts'
import { clean } from '../results.ts'
import { encoded } from './encoding.ts'
import { subscript, superscript } from './scripts.ts'

/** Of the first page as an image, in each direction. */
const SHOWN = 1_024
const BETWEEN = '\n\n'
/** A word that is parted at the end of a line. */
const PARTED = new RegExp(`${String.fromCharCode(2)}(?:\\r?\\n)?`, 'g')

const library = await PDFiumLibrary.init()

export const text = (document: FormatInput): Promise<FormatText> =>
  opened(document, (pdf) => {
    const { characters, pages: most, milliseconds } = document.limits
    const until = performance.now() + milliseconds
    const pageCount = pdf.getPageCount()
    const pages: PagePosition[] = []
    const empty: number[] = []
    let text = ''
    for (let at = 0; at < Math.min(pageCount, most); at++) {
      if (text.length >= characters || performance.now() > until) break
      const found = textOf(pdf, at)
      if (found === '') empty.push(at + 1)
      if (at > 0) text += BETWEEN
      pages.push({ number: at + 1, start: text.length, end: text.length + found.length })
      text += found
    }
    const warnings =
      empty.length === 0
        ? []
        : [`Pages without text: ${empty.slice(0, 20).join(', ')}${empty.length > 20 ? ' …' : ''}`]
    return { text, pages, pageCount, truncated: pages.length < pageCount, warnings }
  })

export const preview = (document: FormatInput): Promise<FormatPreview> =>
  opened(document, async (pdf) => {
    const page = pdf.getPage(0)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    if (!(originalWidth > 0 && originalHeight > 0)) throw refused('document_broken', 'has no page to show')
    const scale = SHOWN / Math.max(originalWidth, originalHeight)
    const sides = [originalWidth, originalHeight].map((side) =>
      Math.max(1, Math.min(SHOWN, Math.round(side * scale)))
    )
    const [width = 1, height = 1] = sides
    // Which closes the page.
    const { data } = await page.render({ width, height })
    const body = await encoded(data, { width, height })
    const pageCount = pdf.getPageCount()
    return { mediaType: 'image/png', body, width, height, pageCount, truncated: pageCount > 1 }
  })

async function opened<T>({ bytes }: FormatInput, work: (pdf: PDFiumDocument) => T | Promise<T>): Promise<T> {
  const pdf = await library.loadDocument(bytes).catch((error: Error) => {
    if (/password|security/i.test(error.message)) throw refused('document_encrypted', 'is encrypted')
    throw refused('document_broken', 'is no PDF, or a broken one')
  })
  try {
    return await work(pdf)
  } finally {
    pdf.destroy()
  }
}

/** Empty of a page that is broken, or an image. */
function textOf(pdf: PDFiumDocument, at: number): string {
  const page = pdf.getPage(at)
  try {
    return clean(withScripts(page).replace(PARTED, '')).trim()
  } catch (error) {
    if (!(error instanceof Error) || isTrap(error)) throw error
    return ''
  } finally {
    closed(page)
  }
}

/** The library itself is broken off: it may not be used any more. */
const isTrap = ({ name }: Error) => name === 'RuntimeError' || name === 'RangeError'

interface Handle {
  readonly module: {
    readonly HEAPU8: Uint8Array
    readonly wasmExports: { malloc(bytes: number): number; free(at: number): void }
    _FPDF_ClosePage(page: number): void
    _FPDFText_LoadPage(page: number): number
    _FPDFText_ClosePage(text: number): void
    _FPDFText_GetCharIndexFromTextIndex(text: number, index: number): number
    _FPDFText_GetLooseCharBox(text: number, character: number, floats: number): number
    _FPDFText_GetCharOrigin(text: number, character: number, x: number, y: number): number
  }
  readonly pageIdx: number
}

/** How high a character is, where it begins and ends, and where its line is, in points. */
interface Place {
  readonly height: number
  readonly start: number
  readonly end: number
  readonly y: number
}
/** Compared with the character before: how small, and by how much of its height higher or lower, digits of another level are. */
const SMALL = 0.85
const RAISED = 0.15
const LOWERED = 0.08
/** Compared with the height of the character before: the widest gap. */
const NEAR = 0.5
/** Digits right behind a character, with their sign; the library may put them, and what comes after them, on a line of its own. */
const DIGITS = /(?<=\S)(?:\r?\n)?[-+−–]?\d/g

/** The text of a page. Digits that stand above or below the line are superscripts and subscripts, so that 10⁶ is not 106. */
function withScripts(page: PDFiumPage): string {
  const text = page.getText()
  const { module, pageIdx } = page as unknown as Handle
  const loaded = module._FPDFText_LoadPage(pageIdx)
  if (!loaded) return text
  // Four floats, or two doubles.
  const numbers = module.wasmExports.malloc(16)
  const placeOf = (at: number): Place | undefined => {
    const character = module._FPDFText_GetCharIndexFromTextIndex(loaded, at)
    if (character < 0 || !module._FPDFText_GetLooseCharBox(loaded, character, numbers)) return undefined
    const view = () => new DataView(module.HEAPU8.buffer, numbers, 16)
    const [start = 0, top = 0, end = 0, bottom = 0] = [0, 4, 8, 12].map((it) => view().getFloat32(it, true))
    if (!module._FPDFText_GetCharOrigin(loaded, character, numbers, numbers + 8)) return undefined
    return { height: Math.abs(top - bottom), start, end, y: view().getFloat64(8, true) }
  }
  try {
    return rewritten(text, placeOf)
  } finally {
    module.wasmExports.free(numbers)
    module._FPDFText_ClosePage(loaded)
  }
}

function rewritten(text: string, placeOf: (at: number) => Place | undefined): string {
  let [written, from] = ['', 0]
  for (const { 0: found, index: behind } of text.matchAll(DIGITS)) {
    const index = behind + found.length - found.trimStart().length
    if (index < from) continue
    const base = placeOf(behind - 1)
    const place = placeOf(index)
    const level = base && levelOf(base, place)
    if (!level || !place || Math.abs(place.start - base.end) > base.height * NEAR) continue
    let end = index + 1
    while (/[\d.,+−–-]/.test(text[end] ?? '') && levelOf(base, placeOf(end)) === level) end++
    const script = text.slice(index, end)
    const line = written + text.slice(from, behind)
    written = line + (level === 'raised' ? superscript(script, line.slice(-1)) : subscript(script))
    const next = end + (/^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0)
    from = next > end && placeOf(next)?.y === base.y ? next : end
  }
  return written + text.slice(from)
}

function levelOf(base: Place, place: Place | undefined): 'raised' | 'lowered' | undefined {
  if (!place || base.height === 0 || place.height > base.height * SMALL) return undefined
  const rise = (place.y - base.y) / base.height
  return rise > RAISED && rise < 1 ? 'raised' : rise < -LOWERED && rise > -1 ? 'lowered' : undefined
}

/** The library closes a page only when it was drawn: a thousand that were read would stay. */
function closed(page: PDFiumPage): void {
  const { module, pageIdx } = page as unknown as Handle
  if (pageIdx !== 0) module._FPDF_ClosePage(pageIdx)
}
