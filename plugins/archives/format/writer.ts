import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

export type ArchiveWriter = Awaited<ReturnType<typeof createArchiveWriter>>

/** The same content is the same archive. */
const mtime = new Date(Date.UTC(2000, 0, 1))

/** A ZIP archive that is taken from `stream` while it is written: no more of it is in memory than is on its way. */
export async function createArchiveWriter() {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const fail = (error: Error) => {
    failed.reject(error)
    stream.destroy(error)
  }
  zip.on('error', fail)
  stream.on('close', () => failed.reject(new Error('The archive was not taken')))

  return {
    stream,
    /** Gives it up: who takes it fails with this. */
    fail,

    /** Writes a file, after those before it; says what it was. */
    async add(path: string, pieces: AsyncIterable<Uint8Array>, { packed = true } = {}) {
      const sha256 = createHash('sha256')
      let size = 0
      const measured = async function* () {
        for await (const piece of pieces) {
          sha256.update(piece)
          size += piece.length
          yield piece
        }
      }
      const source = Readable.from(measured(), { objectMode: false })
      zip.addReadStreamLazy(path, { mtime, compress: packed }, (give) => give(null, source))
      try {
        await Promise.race([finished(source), failed.promise])
      } finally {
        source.destroy()
      }
      return { path, size, sha256: sha256.digest('hex') }
    },

    /** What was added last is written, too, when the stream ends. */
    end: () => void zip.end()
  }
}
