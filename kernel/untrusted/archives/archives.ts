import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import type { ZipFile } from 'yauzl'
import { isFailure } from '../../contract/errors.ts'
import type { ArchiveFailures, ArchiveLimits, Listed } from './directory.ts'
import { archiveFailures, readDirectory } from './directory.ts'

export type { ArchiveLimits }

/** A file in an archive, readable while the iteration goes on. */
export interface ArchivedFile {
  /** With `/` between folders, none of them empty, `.` or `..`; in Unicode's composed form. */
  readonly path: string
  /** In bytes, as the archive says; what is read is as long, or fails. */
  readonly size: number
  readonly isExecutable: boolean
  /** Its bytes, unpacked as they are taken, and never more than `size`. */
  open(): AsyncGenerator<Buffer, void, undefined>
  read(): Promise<Buffer>
}

/** An archive whose directory was examined; its files are read in any order, until it is closed. */
export interface OpenArchive {
  /** In the order of the directory. */
  readonly files: readonly ArchivedFile[]
  close(): void
}

/**
 * The files of a ZIP archive from a stranger, in the order of its directory; `source` is its bytes, or the path of a file.
 * Folders are not named but in the paths of files, and what file managers leave behind (`__MACOSX/`, `.DS_Store`) is
 * passed over. An archive in an archive is a file like any other, and is not opened.
 *
 * The whole directory is examined before the first file is given. 413 `archive_too_large`: too many entries, too large, one
 * file of it too large, packed too tightly. 400 `archive_unsafe`: a path that is absolute or leads elsewhere, names that
 * collide, links and other special files. 400 `archive_unsupported`: encrypted, or packed by another method than deflate.
 * 400 `archive_broken`: no archive, cut short, entries that overlap, bytes that are not what the directory says. `param`
 * stands on each of them. Nothing is unpacked beyond the sizes of the directory, whatever the bytes would give.
 */
export async function* readArchive(
  source: Buffer | string,
  limits: ArchiveLimits,
  param = ''
): AsyncGenerator<ArchivedFile, void, undefined> {
  const { files, close } = await openArchive(source, limits, param)
  try {
    yield* files
  } finally {
    close()
  }
}

/** As `readArchive`, for those who read files in another order, or again. */
export async function openArchive(
  source: Buffer | string,
  limits: ArchiveLimits,
  param = ''
): Promise<OpenArchive> {
  const yauzl = await import('yauzl')
  const fail = archiveFailures(param)
  const options = { autoClose: false, decodeStrings: false }
  const opening =
    typeof source === 'string' ? yauzl.openPromise(source, options) : yauzl.fromBufferPromise(source, options)
  const zip = await opening.catch((error) => fault(error, fail))
  // Beside the one that is told to whom reads: closing a file may fail later.
  zip.on('error', () => undefined)
  const close = () => zip.close()
  try {
    const decode = (entry: Listed['entry']) =>
      yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
    const listed = await readDirectory(zip, limits, decode, fail).catch((error) => fault(error, fail))
    const files = listed.map((one) => {
      const open = () => unpack(zip, one, fail)
      const { path, isExecutable, entry } = one
      return { path, isExecutable, size: entry.uncompressedSize, open, read: () => whole(open()) }
    })
    return { files, close }
  } catch (error) {
    close()
    throw error
  }
}

async function whole(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

async function* unpack(
  zip: ZipFile,
  listed: Listed,
  fail: ArchiveFailures
): AsyncGenerator<Buffer, void, undefined> {
  const { entry, path } = listed
  const damaged = () => fail.broken(`has damaged bytes for ${JSON.stringify(path.slice(0, 80))}`)
  let size = 0
  let sum = 0
  try {
    for await (const part of await opened(zip, listed)) {
      size += part.length
      if (size > entry.uncompressedSize) throw damaged()
      sum = crc32(part, sum)
      yield part
    }
  } catch (error) {
    fault(error, fail, damaged)
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw damaged()
}

/** Where the entry itself says that it is, which the directory alone does not tell. */
async function opened(zip: ZipFile, { entry, end }: Listed): Promise<AsyncIterable<Buffer>> {
  const { fileName, fileDataStart } = await zip.readLocalFileHeaderPromise(entry)
  if (!fileName.equals(entry.fileNameRaw) || fileDataStart + entry.compressedSize > end)
    throw new Error('The entry is not the one of the directory')
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  if (entry.compressionMethod === 0) return packed
  return pipeline(packed, createInflateRaw(), () => undefined)
}

/** What the system said is told as it is; the rest is what is said of bytes that are no archive. */
function fault(
  error: unknown,
  fail: ArchiveFailures,
  otherwise = () => fail.broken('is damaged, or no ZIP archive')
): never {
  throw isFailure(error) || (error instanceof Error && 'syscall' in error) ? error : otherwise()
}
