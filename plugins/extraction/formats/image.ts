import type { FormatInput, FormatPreview } from '../contract.ts'
import { refused } from '../questions.ts'
import { sharp } from './encoding.ts'

/** In each direction. */
const SHOWN = 1_024

/** The first frame, upright, newly encoded: nothing of the file but its pixels is left. */
export async function preview({ bytes, limits }: FormatInput): Promise<FormatPreview> {
  const fault = (error: Error): never => {
    if (/pixel limit|exceeds.*limit/i.test(error.message))
      throw refused('document_too_large', `has more than ${limits.pixels} pixels`)
    throw refused('document_broken', 'is no image, or a broken one')
  }
  const image = sharp(bytes, {
    limitInputPixels: limits.pixels,
    failOn: 'error',
    pages: 1,
    sequentialRead: true
  })
  const known = await image.metadata().catch(fault)
  const shown = image
    .rotate()
    .resize({ width: SHOWN, height: SHOWN, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
  const { data, info } = await shown.toBuffer({ resolveWithObject: true }).catch(fault)
  const { pages } = known
  return {
    mediaType: 'image/webp',
    body: data,
    width: info.width,
    height: info.height,
    ...(pages !== undefined && pages > 1 && { pageCount: pages, truncated: true })
  }
}
