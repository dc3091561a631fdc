import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Driver } from './driver.ts'

/** So much is collected before it is written, while the piece before is on its way. */
const PIECE_BYTES = 1_048_576
/** After so much the disk begins to write, so that the end of a large file has little to wait for. */
const FLUSH_BYTES = 67_108_864
/** Of the process alone, whatever its umask says. */
const [FOLDER, FILE] = [0o700, 0o600]

/**
 * Objects in a folder: `<aa>/<bb>/<sha256>`, beside `incoming/` in the same file system, so that a file becomes an object by
 * a rename. It and the folder are synced before that is told.
 */
export function createDiskDriver(folder: string): Driver {
  const incoming = join(folder, 'incoming')
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256)

  return {
    async stage(source) {
      await mkdir(incoming, { recursive: true, mode: FOLDER })
      const path = join(incoming, randomUUID())
      const discard = () => rm(path, { force: true })
      try {
        const handle = await open(path, 'wx', FILE)
        try {
          await write(handle, source)
          await handle.sync()
        } finally {
          await handle.close()
        }
      } catch (error) {
        await discard()
        throw error
      }
      return {
        discard,
        async commit(sha256) {
          const target = pathOf(sha256)
          const above = dirname(target)
          const made = await mkdir(above, { recursive: true, mode: FOLDER })
          await rename(path, target)
          await syncFolder(above)
          if (made !== undefined) for (const made of [dirname(above), folder]) await syncFolder(made)
        }
      }
    },

    has: ({ sha256, size }) =>
      stat(pathOf(sha256)).then(
        (found) => found.size === size,
        () => false
      ),

    async open(sha256, range) {
      const handle = await open(pathOf(sha256))
      return handle.createReadStream({ ...range, highWaterMark: PIECE_BYTES / 4 })
    },

    remove: (sha256) => rm(pathOf(sha256), { force: true }),

    async removeStaged(before) {
      let removed = 0
      for (const name of await readdir(incoming).catch(() => [])) {
        const path = join(incoming, name)
        const found = await stat(path).catch(() => undefined)
        if (!found || found.mtime >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    }
  }
}

/** In pieces: one is written while the next one arrives, and no more than these two are in memory. */
async function write(handle: FileHandle, source: AsyncIterable<Uint8Array>): Promise<void> {
  let [piece, size, unflushed] = [[] as Uint8Array[], 0, 0]
  let writing: Promise<unknown> = Promise.resolve()
  let flushing: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    await writing
    if (size === 0) return
    writing = writeAll(handle, piece)
    writing.catch(() => undefined)
    unflushed += size
    piece = []
    size = 0
    if (unflushed < FLUSH_BYTES) return
    unflushed = 0
    await flushing
    flushing = handle.datasync()
    flushing.catch(() => undefined)
  }
  try {
    for await (const chunk of source) {
      piece.push(chunk)
      size += chunk.length
      if (size >= PIECE_BYTES) await flush()
    }
    await flush()
  } finally {
    await Promise.allSettled([writing, flushing])
  }
  await Promise.all([writing, flushing])
}

/** The system may take less than it is given. */
async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let left = [...chunks]
  while (left.length > 0) {
    let { bytesWritten } = await handle.writev(left)
    while (left[0] && bytesWritten >= left[0].length) bytesWritten -= (left.shift() as Uint8Array).length
    if (bytesWritten > 0) left = [(left[0] as Uint8Array).subarray(bytesWritten), ...left.slice(1)]
  }
}

/** A name is durable when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
