import { isUtf8 } from 'node:buffer'
import type { Entry } from 'yauzl'

const MAX_PATH = 1_024
const MAX_SEGMENT = 255
const MAX_DEPTH = 32

/** What file managers leave behind in archives, and nobody packed. */
const LEFT_BEHIND = /^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/

const CONTROL = /\p{Cc}/u

/** As it was meant: most tools write UTF-8, also those that do not say so. Composed, as most file systems keep names. */
export const nameOf = (raw: Buffer, decoded: () => string): string =>
  (isUtf8(raw) ? raw.toString('utf8') : decoded()).normalize('NFC')

/** What is wrong with a path that would be unpacked somewhere: nothing outside of that may be meant. */
function faultOfPath(path: string): string | undefined {
  if (CONTROL.test(path)) return 'has a control character in its name'
  if (path.includes('\\')) return 'has a backslash in its name'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'has an absolute path'
  if (Buffer.byteLength(path) > MAX_PATH) return `has a path longer than ${MAX_PATH} bytes`
  const segments = path.replace(/\/$/, '').split('/')
  if (segments.length > MAX_DEPTH) return `lies more than ${MAX_DEPTH} folders deep`
  if (segments.some((segment) => segment === '..')) return 'has a path that leads out of the archive'
  if (segments.some((segment) => segment === '' || segment === '.')) return 'has an empty name in its path'
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT))
    return `has a name longer than ${MAX_SEGMENT} bytes`
  return undefined
}

export const isLeftBehind = (path: string): boolean => LEFT_BEHIND.test(path)

const TYPE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
/** Of Windows: a link, or a file that lies elsewhere. */
const REPARSE_POINT = 0x400

const modeOf = ({ externalFileAttributes }: Entry): number => externalFileAttributes >>> 16

/** A link, a device, a pipe, or a name that says another thing than the type. */
export function isSpecial(entry: Entry, path: string): boolean {
  const type = modeOf(entry) & TYPE
  const expected = path.endsWith('/') ? FOLDER : REGULAR
  return (type !== 0 && type !== expected) || (entry.externalFileAttributes & REPARSE_POINT) !== 0
}

export const isExecutable = (entry: Entry): boolean => (modeOf(entry) & 0o111) !== 0

/**
 * Checks the paths of an archive, one after the other, those of folders with a `/` at their end: what is wrong with one
 * more, if anything. Each may be there once: a file system that does not tell cases apart would write one over the other,
 * and a file cannot be a folder, too.
 */
export function createPathCheck(): (path: string) => string | undefined {
  const files = new Set<string>()
  const folders = new Set<string>()
  return (path) => {
    const fault = faultOfPath(path)
    if (fault !== undefined) return fault
    const key = path.normalize('NFC').toLowerCase()
    const isFolder = key.endsWith('/')
    const name = isFolder ? key.slice(0, -1) : key
    for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) folders.add(name.slice(0, at))
    if (isFolder) folders.add(name)
    else if (files.has(name)) return 'is there twice, if cases are not told apart'
    else files.add(name)
    for (let at = name.length; at > 0; at = name.lastIndexOf('/', at - 1)) {
      const above = name.slice(0, at)
      if (files.has(above) && folders.has(above)) return 'is a file and a folder'
    }
    return undefined
  }
}
