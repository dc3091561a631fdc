import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { FormatInput, FormatPreview, FormatText, PagePosition } from '../contract.ts'
import { refused } from '../questions.ts'
import { clean } from '../results.ts'
import { encoded } from './encoding.ts'

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
    return clean(page.getText().replace(PARTED, '')).trim()
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
  readonly module: { _FPDF_ClosePage(page: number): void }
  readonly pageIdx: number
}

/** The library closes a page only when it was drawn: a thousand that were read would stay. */
function closed(page: PDFiumPage): void {
  const { module, pageIdx } = page as unknown as Handle
  if (pageIdx !== 0) module._FPDF_ClosePage(pageIdx)
}
