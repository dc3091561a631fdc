import type { Principal } from 'agent-platform'
import { tooLarge, unavailable } from 'agent-platform'
import type { ComputerSettings } from '../settings.ts'
import type { FileService } from './files.ts'

export type HomeService = ReturnType<typeof createHomeService>

interface Deps {
  settings: ComputerSettings
  fileService: FileService
}

/** Of one listing: the answer has a cap, and names may be long. */
const NAMES = 200
/** Of a home, in all. A computer may say that there is no end to them. */
const MOST_NAMES = 200_000
const DEPTH = 100
export const PATH = 4_096
const PIECE = 4_194_304
/** Of files that are written at once: paths are in the order, which has a cap. */
const BATCH = { files: 100, bytes: 4_194_304, pathBytes: 65_536 }

/** What the platform itself keeps in homes: the browser's profile, and what was too long to be answered. */
const OWN = new Set(['.browser', '.computer'])

export interface HomeFile {
  /** Below the home. */
  readonly path: string
  readonly mode: number
  readonly size: number
}

/** Why no file of a home lies at a path, if none does. */
export function faultOfPath(path: string): string | undefined {
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return 'leads elsewhere'
  if (path.includes('\0')) return 'has a null character'
  if (names[0] === '~' || OWN.has(names[0] as string)) return 'is no file of its own'
  if (names.length > DEPTH) return `lies more than ${DEPTH} folders deep`
  return undefined
}

/** All files of computers, by the same way as single ones: never more than the agent's own programs reach. */
export function createHomeService({ settings, fileService }: Deps) {
  const full = (what: string) =>
    tooLarge(`The computer has more than ${what}`, { code: 'home_too_large', param: '/fileId' })

  /** Counts what is passed along; 413 for more than goes into an archive. */
  function createMeter() {
    let left = settings.archiveBytes
    return {
      take(bytes: number) {
        left -= bytes
        if (left < 0) throw full(`${settings.archiveBytes} bytes of files`)
      }
    }
  }

  /**
   * The files of a home with their bytes, folder by folder. Each is to be read before the next one is asked for. `leave` hears of
   * what is left out: links and whatever else is no file, and files that cannot be read.
   */
  async function* list(
    by: Principal,
    agentId: string,
    leave: (why: 'link' | 'other' | 'unreadable', path: string) => void
  ): AsyncGenerator<HomeFile & { readonly bytes: AsyncIterable<Buffer> }, void> {
    const meter = createMeter()
    const folders = ['']
    let names = 0
    const told = (some: number) => {
      names += some
      if (names > MOST_NAMES) throw full(`${MOST_NAMES} files and folders`)
    }
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const below: string[] = []
      for await (const { name, type } of namesIn(by, agentId, folder, told)) {
        if (folder === '' && OWN.has(name)) continue
        const path = folder === '' ? name : `${folder}/${name}`
        // What a computer says of itself is not believed.
        if (name.includes('/') || !path.isWellFormed() || path.length > PATH || faultOfPath(path))
          leave('unreadable', path.toWellFormed())
        else if (type === 'folder') below.push(path)
        else if (type !== 'file') leave(type === 'link' ? 'link' : 'other', path)
        else {
          const file = await open(by, agentId, path, meter.take)
          if (file) yield file
          else leave('unreadable', path)
        }
      }
      folders.push(...below.toReversed())
    }
  }

  async function* namesIn(by: Principal, agentId: string, folder: string, told: (names: number) => void) {
    let last = ''
    for (let offset: number | null = 0; offset !== null; ) {
      const query = { path: folder || '.', offset, length: NAMES }
      const found = await (folder === '' ? fileService.read : readable)(by, agentId, query)
      const entries = found?.entries ?? []
      told(entries.length)
      // Of a folder that changes meanwhile a name may come again.
      for (const entry of entries)
        if (typeof entry.name === 'string' && entry.name > last) {
          last = entry.name
          yield entry
        }
      offset = entries.length > 0 ? (found?.nextOffset ?? null) : null
    }
  }

  async function open(by: Principal, agentId: string, path: string, take: (bytes: number) => void) {
    const read = (offset: number) =>
      readable(by, agentId, { path, offset, length: PIECE, encoding: 'base64' as const })
    const first = await read(0)
    if (first?.type !== 'file') return undefined
    const begin = Buffer.from(first.content ?? '', 'base64')
    const size = first.nextOffset === null ? begin.length : first.size
    if (!Number.isSafeInteger(size) || size < begin.length) return undefined
    take(size)
    async function* bytes() {
      yield begin
      for (let at = begin.length; at < size; ) {
        const next = Buffer.from((await read(at))?.content ?? '', 'base64').subarray(0, size - at)
        if (next.length === 0)
          throw unavailable(`${path} became shorter while it was read`, { code: 'file_changed' })
        at += next.length
        yield next
      }
    }
    return { path, mode: first.mode & 0o777, size, bytes: bytes() }
  }

  /** Nothing where it is not there any more, leads out of the home, or may not be read even by the agent. */
  const readable = (by: Principal, agentId: string, query: Parameters<FileService['read']>[2]) =>
    fileService.read(by, agentId, query).catch((error) => {
      if (error.param === 'path') return undefined
      throw error
    })

  /** Writes files: small ones some at a time, and others as they come. */
  async function write(
    by: Principal,
    agentId: string,
    files: AsyncIterable<HomeFile & { readonly bytes: AsyncIterable<Buffer> }>
  ): Promise<void> {
    let batch: { file: HomeFile; bytes: Buffer }[] = []
    let [bytes, pathBytes] = [0, 0]
    const flush = async () => {
      const some = batch
      batch = []
      bytes = 0
      pathBytes = 0
      if (some.length > 0)
        await fileService.send(
          by,
          agentId,
          some.map(({ file }) => file),
          some.map((it) => it.bytes)
        )
    }
    for await (const { bytes: content, ...file } of files) {
      if (file.size > BATCH.bytes) {
        await fileService.send(by, agentId, [file], content)
        continue
      }
      const isFull =
        batch.length === BATCH.files ||
        bytes + file.size > BATCH.bytes ||
        pathBytes + 6 * file.path.length > BATCH.pathBytes
      if (isFull) await flush()
      batch.push({ file, bytes: Buffer.concat(await Array.fromAsync(content)) })
      bytes += file.size
      pathBytes += 6 * file.path.length
    }
    await flush()
  }

  return { list, write, createMeter }
}
