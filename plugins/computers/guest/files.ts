import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { OUTPUT } from './frames.ts'
import { faultOf, HOME, placeOf } from './home.ts'
import type { Doing, Entry, ReadEnd, ReadOrder, Saying, WriteEnd, WriteOrder } from './orders.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
/** Bytes of a file that are sent at a time. */
const PIECE = 131_072
/** Bytes of the entries of an answer, which as a whole has a cap. A name is 255 bytes, and six times that as JSON. */
const LISTED = 196_608

/** Sends a part of a file, or the names in a folder. */
export function read(order: ReadOrder, saying: Saying): void {
  readPlace(order, saying).catch((error) => saying.end(said(error, order.path)))
}

async function readPlace({ path, offset, length }: ReadOrder, saying: Saying): Promise<void> {
  const place = await placeOf(path)
  const file = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const found = await file.stat()
    const known = { ...aboutOf(found), path: relative(HOME, place) || '.' }
    if (found.isDirectory()) return saying.end(await listing(place, { offset, length }, known))
    if (!found.isFile()) throw faultOf('not_a_file', `${path} is neither a file nor a folder`, path)
    await send(file, offset, Math.max(0, Math.min(length, found.size - offset)), saying)
    saying.end({ ...known, type: 'file' } satisfies ReadEnd)
  } finally {
    await file.close()
  }
}

async function send(file: FileHandle, offset: number, length: number, saying: Saying): Promise<void> {
  for (let at = offset; at < offset + length; ) {
    const bytes = Buffer.allocUnsafe(Math.min(PIECE, offset + length - at))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    if (!saying.send(OUTPUT, bytes.subarray(0, bytesRead)))
      await new Promise<void>((then) => saying.drained(then))
  }
}

async function listing(
  folder: string,
  { offset, length }: { offset: number; length: number },
  known: Omit<ReadEnd, 'type'>
): Promise<ReadEnd> {
  const names = (await readdir(folder)).sort()
  const shown = names.slice(offset, offset + length)
  const entries = await Promise.all(
    shown.map(async (name): Promise<Entry | undefined> => {
      const found = await lstat(join(folder, name)).catch(() => undefined)
      return found && { name, type: typeOf(found), ...aboutOf(found) }
    })
  )
  return { ...known, type: 'folder', size: names.length, entries: fitting(entries) }
}

/** Of what is still there, as much as is answered at once. */
function fitting(entries: readonly (Entry | undefined)[]): Entry[] {
  const found = entries.filter((it) => it !== undefined)
  let room = LISTED
  const end = found.findIndex((entry) => (room -= Buffer.byteLength(JSON.stringify(entry)) + 1) < 0)
  return end < 0 ? found : found.slice(0, end)
}

const typeOf = (it: Stats): Entry['type'] =>
  it.isFile() ? 'file' : it.isDirectory() ? 'folder' : it.isSymbolicLink() ? 'link' : 'other'
const aboutOf = ({ size, mode, mtime }: Stats) => ({
  size,
  mode: mode & 0o777,
  modifiedAt: mtime.toISOString()
})

/** Each file is there whole or as it was before: written beside its place, and renamed. */
export function write({ files }: WriteOrder, saying: Saying): Doing {
  let turn: Promise<unknown> = Promise.resolve()
  let isOver = false
  let current: { file: FileHandle; aside: string; place: string; left: number } | undefined
  const done: WriteEnd['files'][number][] = []
  let index = -1

  async function next(): Promise<void> {
    while (!current || current.left === 0) {
      if (current) await finish(current)
      current = undefined
      const wanted = files[++index]
      if (!wanted) return end({ files: done })
      const place = await placeOf(wanted.path, true)
      const before = await stat(place).catch(() => undefined)
      const mode = wanted.mode ?? (before?.isFile() ? before.mode & 0o777 : 0o644)
      const aside = join(
        dirname(place),
        `.${basename(place).slice(0, 100)}.${randomBytes(6).toString('hex')}`
      )
      const file = await open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
      await file.chmod(mode)
      current = { file, aside, place, left: wanted.size }
      done.push({ path: relative(HOME, place), size: wanted.size, mode })
    }
  }

  async function finish({ file, aside, place }: NonNullable<typeof current>) {
    await file.sync()
    await file.close()
    await rename(aside, place)
  }

  function end(value: object) {
    if (isOver) return
    isOver = true
    saying.end(value)
  }

  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(async () => {
      if (isOver) return
      try {
        await work()
      } catch (error) {
        end(said(error, files[index]?.path))
        await current?.file.close().catch(() => undefined)
        if (current) await rm(current.aside, { force: true })
      }
    })
  }

  inTurn(next)
  return {
    input: (bytes) =>
      inTurn(async () => {
        for (let at = 0; at < bytes.length && current; ) {
          const part = bytes.subarray(at, at + current.left)
          await current.file.writeFile(part)
          current.left -= part.length
          at += part.length
          await next()
        }
      }),
    inputEnd: () => inTurn(async () => end({ fault: { code: 'cut', message: 'The content was cut' } })),
    signal() {}
  }
}

function said(error: unknown, path?: string) {
  const { code = 'failed', message } = error as NodeJS.ErrnoException
  return { fault: { code, message: message.replace(/^E[A-Z]+: /, ''), ...(path !== undefined && { path }) } }
}
