import { invalid, unsupportedMedia } from 'agent-platform'

const ACCEPTED = new Set(['image/png', 'image/jpeg', 'image/webp'])
/** A picture of a camera has them; a small file that claims more is refused before it is decoded. */
const MAX_PIXELS = 50_000_000
/** Of what extraction makes of a picture. */
const SHOWN_PIXELS = 1_024 * 1_024
const SIDE = 512
const SECONDS = 15

/** One picture at a time is decoded: each may take 200 MB while that lasts. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * A picture of a stranger, made anew: a WebP of at most 512 pixels a side, cut to a square, upright, without metadata. 415 for
 * what is no PNG, JPEG or WebP by its bytes, 400 for what cannot be decoded, or is larger than 50 megapixels.
 */
export async function reencode(bytes: Uint8Array): Promise<Buffer> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (type === undefined || !ACCEPTED.has(type.mime))
    throw unsupportedMedia('An avatar is a PNG, JPEG or WebP image')
  const encoded = turn.then(() => encode(bytes))
  turn = encoded.catch(() => undefined)
  return encoded
}

/** A picture that the process for documents has made, as all models take it: some servers decode no WebP. */
export async function jpegOf(webp: Uint8Array): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(webp, { limitInputPixels: SHOWN_PIXELS })
    .flatten({ background: '#fff' })
    .timeout({ seconds: SECONDS })
    .jpeg({ quality: 85 })
    .toBuffer()
}

async function encode(bytes: Uint8Array): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover', withoutEnlargement: true })
      .timeout({ seconds: SECONDS })
      .webp({ quality: 85 })
      .toBuffer()
  } catch {
    // What the decoder says is about its own workings.
    throw invalid('/file', 'The image is damaged, or has more than 50 megapixels', 'image_unreadable')
  }
}
