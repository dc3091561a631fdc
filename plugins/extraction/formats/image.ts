import type { Sharp } from 'sharp'
import type { ExtractedImage, FormatInput, FormatPreview, ImageForm } from '../contract.ts'
import { refused } from '../questions.ts'
import { sharp } from './encoding.ts'

/** In each direction. */
const SHOWN = 1_024

/** The first frame, upright, newly encoded: nothing of the file but its pixels is left. */
export async function preview(document: FormatInput): Promise<FormatPreview> {
  const { frames, ...shown } = await encoded(document, { mediaType: 'image/webp', side: SHOWN }, 80)
  return { ...shown, ...(frames > 1 && { pageCount: frames, truncated: true }) }
}

export async function image(document: FormatInput & { form: ImageForm }): Promise<ExtractedImage> {
  const { frames: _, ...made } = await encoded(document, document.form, 85)
  return made
}

async function encoded({ bytes, limits }: FormatInput, form: ImageForm, quality: number) {
  const fault = (error: Error): never => {
    if (/pixel limit|exceeds.{0,99}limit/i.test(error.message))
      throw refused('document_too_large', `has more than ${limits.pixels} pixels`)
    throw refused('document_broken', 'is no image, or a broken one')
  }
  const image = sharp(bytes, {
    limitInputPixels: limits.pixels,
    failOn: 'error',
    pages: 1,
    sequentialRead: true
  })
  const { pages: frames = 1 } = await image.metadata().catch(fault)
  const side = Math.min(SHOWN, form.side)
  const fit = form.isSquare ? 'cover' : 'inside'
  const sized = image.rotate().resize({ width: side, height: side, fit, withoutEnlargement: true })
  const { data, info } = await inFormat(sized, form, quality)
    .toBuffer({ resolveWithObject: true })
    .catch(fault)
  return { mediaType: form.mediaType, body: data, width: info.width, height: info.height, frames }
}

const inFormat = (image: Sharp, { mediaType }: ImageForm, quality: number): Sharp =>
  mediaType === 'image/webp'
    ? image.webp({ quality })
    : image.flatten({ background: '#fff' }).jpeg({ quality })
