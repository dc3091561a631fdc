import { createHash } from 'node:crypto'
import type { ArchivedFile } from 'agent-platform'
import { canonicalJson, invalid, openArchive, tooLarge } from 'agent-platform'
import type { ArchiveRecord, ReadRecord } from '../contract.ts'
import type { ArchiveSettings } from '../settings.ts'
import { BYTES, recordsOf } from './bytes.ts'
import { readLines } from './lines.ts'
import type { Manifest } from './manifest.ts'
import { checkManifest, MANIFEST, pathOfBlob, pathOfPart, pathsOf, SIGNATURE } from './manifest.ts'
import { signerOf } from './signature.ts'

export type ArchiveReader = Awaited<ReturnType<typeof createArchiveReader>>

const MANIFEST_BYTES = 16_777_216
const SIGNATURE_BYTES = 65_536
/** More than deflate can. What an archive unpacks to is bounded by itself. */
const RATIO = 2_000
/** Beside parts and blobs. */
const OTHERS = 2

const PARAM = '/fileId'
const broken = (text: string) => invalid(PARAM, `The archive ${text}`, 'archive_invalid')

/** `before` is the kind of the record before a line, which its bytes are of. */
type Check = (pack: string, line: ArchiveRecord, before: string | undefined) => string | undefined

/** An archive in a file of this machine: its manifest and signature were read, and its files are those of the manifest. */
export async function createArchiveReader(path: string, settings: ArchiveSettings) {
  const { unpackedBytes: bytes, archiveEntries, archiveRecords } = settings
  const limits = { entries: archiveEntries + OTHERS, bytes, fileBytes: bytes, ratio: RATIO }
  const { files, close } = await openArchive(path, limits, PARAM)
  try {
    return { ...(await readAll(files, archiveRecords)), close }
  } catch (error) {
    close()
    throw error
  }
}

async function readAll(files: readonly ArchivedFile[], mostRecords: number) {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const { manifest, bytes } = await manifestOf(byPath.get(MANIFEST))
  const paths = files.map(({ path }) => path)
  const isSigned = paths.at(-1) === SIGNATURE
  if (paths.slice(0, isSigned ? -1 : undefined).join('\n') !== pathsOf(manifest).join('\n'))
    throw broken('has other files than its manifest, or in another order')
  if (manifest.parts[0]?.pack !== 'agents') throw broken('does not begin with an agent')
  const records = manifest.parts.reduce((sum, part) => sum + part.records, 0)
  if (records > mostRecords)
    throw tooLarge(`The archive has ${records} records, more than ${mostRecords}`, {
      code: 'archive_too_large',
      param: PARAM
    })
  const signed = isSigned ? await byPath.get(SIGNATURE)?.open() : undefined
  const fail = (text: string) => invalid(PARAM, `The signature of the archive ${text}`, 'archive_signature')
  const signer = signed ? signerOf(await capped(signed, SIGNATURE_BYTES), bytes, fail) : undefined
  const sizes = new Map(manifest.blobs.map(({ sha256, size }) => [sha256, size]))
  const fileAt = (at: string) => byPath.get(at) as ArchivedFile

  return {
    manifest,
    signer,

    /** The records of a part, as they come: those of another form were refused by `verify`. */
    records: (pack: string): AsyncGenerator<ReadRecord> =>
      recordsOf(readLines(fileAt(pathOfPart(pack)).open(), (text) => broken(`: ${pack}: ${text}`))),

    blob(sha256: string) {
      const size = sizes.get(sha256)
      if (size === undefined) throw broken(`lacks the bytes ${sha256}`)
      return { size, open: () => fileAt(pathOfBlob(sha256)).open() }
    },

    /** Reads all of it once: bytes are what the manifest says, and records what `check` takes. */
    async verify(check: Check, signal?: AbortSignal): Promise<void> {
      for (const { pack, ...wanted } of manifest.parts) {
        const { pieces, end } = measured(fileAt(pathOfPart(pack)).open(), wanted, signal)
        let count = 0
        let before: string | undefined
        for await (const line of readLines(pieces, (text) => broken(`: ${pack}: ${text}`))) {
          count++
          const fault = check(pack, line, before)
          if (line.kind !== BYTES) before = line.kind
          if (fault !== undefined) throw broken(`: ${pack}: record ${count} ${fault}`)
        }
        if (count !== wanted.records) throw broken(`has ${count} records of ${pack}, not ${wanted.records}`)
        end()
      }
      for (const wanted of manifest.blobs) {
        const { pieces, end } = measured(fileAt(pathOfBlob(wanted.sha256)).open(), wanted, signal)
        for await (const _ of pieces);
        end()
      }
    }
  }
}

function measured(
  file: AsyncIterable<Buffer>,
  wanted: { readonly size: number; readonly sha256: string },
  signal?: AbortSignal
) {
  const sha256 = createHash('sha256')
  let size = 0
  async function* pieces() {
    for await (const piece of file) {
      signal?.throwIfAborted()
      sha256.update(piece)
      size += piece.length
      yield piece
    }
  }
  const end = () => {
    if (size !== wanted.size || sha256.digest('hex') !== wanted.sha256)
      throw broken('has other bytes than its manifest says')
  }
  return { pieces: pieces(), end }
}

async function manifestOf(file: ArchivedFile | undefined): Promise<{ manifest: Manifest; bytes: Buffer }> {
  if (!file) throw broken('has no manifest.json')
  const bytes = await capped(file.open(), MANIFEST_BYTES)
  let manifest: unknown
  try {
    manifest = JSON.parse(bytes.toString())
  } catch {
    throw broken('has a manifest that is not JSON')
  }
  const fault = checkManifest(manifest)
  if (fault) throw broken(`has a manifest that is none: ${fault.at} ${fault.text}`)
  if (canonicalJson(manifest) !== bytes.toString()) throw broken('has a manifest that is not canonical')
  const { parts, blobs } = manifest as Manifest
  const names = [...parts.map(({ pack }) => pack), ...blobs.map(({ sha256 }) => sha256)]
  if (new Set(names).size !== names.length) throw broken('has a manifest that names something twice')
  return { manifest: manifest as Manifest, bytes }
}

async function capped(pieces: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const all: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > most) throw broken(`has more than ${most} bytes of what describes it`)
    all.push(piece)
  }
  return Buffer.concat(all)
}
