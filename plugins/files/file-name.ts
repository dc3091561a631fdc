const MAX_BYTES = 255
/** Controls, line separators, and marks that turn the direction of writing around, so that `gpj.exe` reads `exe.jpg`. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** A name that is shown and downloaded under: its last segment, on one line, of 255 bytes at most with its extension. */
export function cleanName(given: string | undefined): string {
  const last = (given ?? '').toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const name = last.replaceAll(INVISIBLE, '').trim()
  if (/^\.*$/.test(name)) return 'file'
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const extension = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? ''
  let stem = ''
  let room = MAX_BYTES - Buffer.byteLength(extension)
  for (const letter of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(letter)
    if (room < 0) break
    stem += letter
  }
  return stem.trimEnd() + extension
}

/** `Content-Disposition` of a download (RFC 6266), its name also in other letters than ASCII has (RFC 8187). */
export function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_')
  if (ascii === name) return `${kind}; filename="${name}"`
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
