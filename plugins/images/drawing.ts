import { createHash } from 'node:crypto'

/** Loaded with the first picture, not with the platform. */
const loadSharp = async () => (await import('sharp')).default

const CELLS = 5
const CELL = 60
const MARGIN = 100
const SIDE = CELLS * CELL + 2 * MARGIN

/**
 * An avatar as a PNG of that many pixels a side: a pattern whose left and right are the same, in colours that keep apart, all
 * of it by the digest of the words. The same words and the same number give the same bytes.
 */
export async function drawAvatar(words: string, number: number, side: number): Promise<Buffer> {
  const sharp = await loadSharp()
  const digest = createHash('sha256').update(`${number}\0${words}`).digest()
  const hue = digest.readUInt16BE(0) % 360
  const other = (hue + 120 + ((digest[2] ?? 0) % 120)) % 360
  const cells: string[] = []
  for (let column = 0; column < Math.ceil(CELLS / 2); column++)
    for (let row = 0; row < CELLS; row++) {
      const byte = digest[3 + column * CELLS + row] ?? 0
      if (byte % 2 === 0) continue
      const fill = byte % 3 === 0 ? `hsl(${other} 70% 62%)` : 'hsl(0 0% 100% / 0.92)'
      for (const at of new Set([column, CELLS - 1 - column]))
        cells.push(
          `<rect x="${MARGIN + at * CELL}" y="${MARGIN + row * CELL}" width="${CELL}" height="${CELL}" rx="10" fill="${fill}"/>`
        )
    }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" width="${side}" height="${side}">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="hsl(${hue} 58% 46%)"/><stop offset="1" stop-color="hsl(${other} 58% 32%)"/>
    </linearGradient></defs>
    <rect width="${SIDE}" height="${SIDE}" fill="url(#g)"/>${cells.join('')}</svg>`
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer()
}
