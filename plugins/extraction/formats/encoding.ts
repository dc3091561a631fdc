import sharp from 'sharp'

// One thread and no cache: the memory of this process is capped, and documents come one after the other.
sharp.concurrency(1)
sharp.cache(false)
// Formats that nobody asks for are code that nobody needs to trust.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer'
  ]
})

export { sharp }

/** Pixels of four bytes each as a PNG. */
export const encoded = (
  pixels: Uint8Array,
  { width, height }: { width: number; height: number }
): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer()
