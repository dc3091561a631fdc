/** A member as it is drawn. */
export interface Tile {
  readonly id: string
  readonly name: string
  readonly isPresent: boolean
  readonly isSpeaking: boolean
  /** SHA-256 of its picture. */
  readonly avatar: string | null
}
export interface Picture {
  readonly name: string
  readonly tiles: readonly Tile[]
  /** Members that are not drawn. */
  readonly more: number
}

/** Loaded with the first picture, not with the platform. */
const loadSharp = async () => (await import('sharp')).default

const SIDE = 200
const RADIUS = 64
const TOP = 48
const colours = ['#3b5bdb', '#0b7285', '#2b8a3e', '#862e9c', '#a61e4d', '#d9480f', '#5f3dc4', '#1864ab']

/** PNG. Names are a stranger's: they become text and nothing else. */
export async function draw(
  { name, tiles, more }: Picture,
  avatarOf: (sha256: string) => Promise<Buffer | undefined>
): Promise<Buffer> {
  const sharp = await loadSharp()
  const across = Math.max(2, Math.ceil(Math.sqrt(tiles.length)))
  const width = across * SIDE
  const height = TOP + Math.max(1, Math.ceil(tiles.length / across)) * SIDE
  const placed = tiles.map((tile, index) => ({
    tile,
    x: (index % across) * SIDE + SIDE / 2,
    y: TOP + Math.floor(index / across) * SIDE + SIDE / 2 - 16
  }))
  const faces = await Promise.all(
    placed.map(async ({ tile: { avatar, isPresent }, x, y }) => {
      const bytes = avatar === null ? undefined : await avatarOf(avatar)
      const input = bytes && (await faceOf(bytes, isPresent))
      return input && { input, left: Math.round(x - RADIUS), top: Math.round(y - RADIUS) }
    })
  )
  const heading = `${short(name, 40)}${more > 0 ? ` (and ${more} more)` : ''}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif">
<rect width="100%" height="100%" fill="#1a1b1e"/>
<text x="16" y="32" font-size="20" fill="#f1f3f5">${escaped(heading)}</text>
${placed.map((it, index) => circle(it, faces[index] !== undefined)).join('\n')}</svg>`
  return sharp(Buffer.from(svg))
    .composite(faces.filter((it) => it !== undefined))
    .png()
    .toBuffer()
}

function circle({ tile, x, y }: { tile: Tile; x: number; y: number }, hasFace: boolean): string {
  const { id, name, isPresent, isSpeaking } = tile
  const colour = colours[[...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % colours.length]
  const ring = isSpeaking
    ? `<circle cx="${x}" cy="${y}" r="${RADIUS + 8}" fill="none" stroke="#40c057" stroke-width="6"/>`
    : ''
  const initials = name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()
  const face = hasFace
    ? ''
    : `<circle cx="${x}" cy="${y}" r="${RADIUS}" fill="${colour}"/>
<text x="${x}" y="${y + 16}" font-size="44" text-anchor="middle" fill="#ffffff">${escaped(initials)}</text>`
  return `<g opacity="${isPresent || isSpeaking ? 1 : 0.45}">${ring}${face}
<text x="${x}" y="${y + RADIUS + 34}" font-size="18" text-anchor="middle" fill="#f1f3f5">${escaped(short(name, 18))}</text></g>`
}

/** Undefined for what cannot be decoded: initials stand there then. */
async function faceOf(bytes: Buffer, isPresent: boolean): Promise<Buffer | undefined> {
  const sharp = await loadSharp()
  const side = 2 * RADIUS
  const mask = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><circle cx="${RADIUS}" cy="${RADIUS}" r="${RADIUS}" fill="#fff" fill-opacity="${isPresent ? 1 : 0.45}"/></svg>`
  return sharp(bytes, { limitInputPixels: 1_048_576 })
    .resize(side, side, { fit: 'cover' })
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png()
    .toBuffer()
    .catch(() => undefined)
}

const short = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}
/** What XML has no place for is left out. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
