import type { Entry, ZipFile } from 'yauzl'
import type { Failure } from '../../contract/errors.ts'
import { invalid, tooLarge } from '../../contract/errors.ts'
import { createPathCheck, isExecutable, isLeftBehind, isSpecial, nameOf } from './names.ts'

export interface ArchiveLimits {
  /** Files and folders that the directory may name. */
  readonly entries: number
  /** Of all files together, unpacked. */
  readonly bytes: number
  /** Of one file, unpacked. */
  readonly fileBytes: number
  /** How many times as large as it is packed a file of more than 1 MiB may be; default 100. */
  readonly ratio?: number
}

/** A file as the directory names it, and where its packed bytes must end: where those of another entry begin. */
export interface Listed {
  readonly path: string
  readonly isExecutable: boolean
  readonly entry: Entry
  readonly end: number
}

/** Of the fixed part of an entry's header, which its name follows. */
const LOCAL_HEADER = 30
const END_RECORD = 22
/** The end of a large archive: a record and its locator. */
const END_64 = 76
const MAX_EXTRA = 4_096
const FREE_OF_RATIO = 1_048_576
const RATIO = 100

/** The failures of one archive, which is at `param` of the request. */
export const archiveFailures = (param: string) => ({
  broken: (text: string) => invalid(param, `The archive ${text}`, 'archive_broken'),
  unsafe: (path: string, text: string) => invalid(param, `${quoted(path)} ${text}`, 'archive_unsafe'),
  unsupported: (path: string, text: string) =>
    invalid(param, `${quoted(path)} ${text}`, 'archive_unsupported'),
  tooLarge: (text: string) => tooLarge(text, { param, code: 'archive_too_large' })
})

export type ArchiveFailures = ReturnType<typeof archiveFailures>

const quoted = (path: string) => JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path)

/** Examines the whole directory before a byte is unpacked. */
export async function readDirectory(
  zip: ZipFile,
  limits: ArchiveLimits,
  decode: (entry: Entry) => string,
  fail: ArchiveFailures
): Promise<Listed[]> {
  // Types of the package call it a boolean.
  const start = Number(zip.readEntryCursor)
  const faultOfPath = createPathCheck()
  const found: { entry: Entry; path: string }[] = []
  let bytes = 0
  if (zip.entryCount > limits.entries)
    throw fail.tooLarge(`The archive has ${zip.entryCount} entries, more than ${limits.entries}`)
  for await (const entry of zip.eachEntry()) {
    const path = nameOf(entry.fileNameRaw, () => decode(entry))
    const unsafe = faultOfPath(path)
    const fault = unsafe ? fail.unsafe(path, unsafe) : faultOf(entry, path, limits, fail)
    if (fault) throw fault
    bytes += entry.uncompressedSize
    if (bytes > limits.bytes) throw fail.tooLarge(`The archive unpacks to more than ${limits.bytes} bytes`)
    found.push({ entry, path })
  }
  const rest = zip.fileSize - END_RECORD - zip.comment.length - Number(zip.readEntryCursor)
  if (rest !== 0 && rest !== END_64) throw fail.broken('has more in its directory than it counts')
  return apart(found, start, fail)
}

function faultOf(
  entry: Entry,
  path: string,
  limits: ArchiveLimits,
  fail: ArchiveFailures
): Failure | undefined {
  const { compressedSize: packed, uncompressedSize: size } = entry
  const { fileBytes, ratio = RATIO } = limits
  if (isSpecial(entry, path)) return fail.unsafe(path, 'is a link or another special file')
  if (entry.isEncrypted()) return fail.unsupported(path, 'is encrypted')
  if (!entry.canDecodeFileData()) return fail.unsupported(path, 'is packed by an unknown method')
  if (entry.extraFieldLength + entry.fileCommentLength > MAX_EXTRA)
    return fail.broken('says too much about an entry')
  if (path.endsWith('/') && size > 0) return fail.broken('has a folder with content')
  if (size > fileBytes) return fail.tooLarge(`${quoted(path)} unpacks to more than ${fileBytes} bytes`)
  if (size > FREE_OF_RATIO && size > packed * ratio)
    return fail.tooLarge(`${quoted(path)} is more than ${ratio} times as large as it is packed`)
  return undefined
}

/** No two entries share bytes: by that an archive of a few kilobytes would have gigabytes of files. */
function apart(found: { entry: Entry; path: string }[], directory: number, fail: ArchiveFailures): Listed[] {
  const ends = new Map<Entry, number>()
  const byPlace = found.map(({ entry }) => entry)
  byPlace.sort((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader)
  for (const [index, entry] of byPlace.entries()) {
    const end = byPlace[index + 1]?.relativeOffsetOfLocalHeader ?? directory
    const least =
      entry.relativeOffsetOfLocalHeader + LOCAL_HEADER + entry.fileNameLength + entry.compressedSize
    if (least > end) throw fail.broken('has entries that overlap')
    ends.set(entry, end)
  }
  return found.flatMap(({ entry, path }) =>
    path.endsWith('/') || isLeftBehind(path)
      ? []
      : [{ path, entry, isExecutable: isExecutable(entry), end: ends.get(entry) ?? 0 }]
  )
}
