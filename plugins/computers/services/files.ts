import { isUtf8 } from 'node:buffer'
import type { Kernel, Principal } from 'agent-platform'
import { bytesOfBase64, conflict, insufficientStorage, invalid, notFound, tooLarge } from 'agent-platform'
import type { Fault, ReadEnd, WriteEnd, WriteOrder } from '../guest/orders.ts'
import type { ComputerFile, ReadQuery, WriteFiles } from '../schemas/files.ts'
import type { ComputerRow } from '../stores/computers.ts'
import type { ComputerService } from './computers.ts'
import type { Transitions } from './transitions.ts'
import type { Waking } from './waking.ts'

export type FileService = ReturnType<typeof createFileService>

const READ_BYTES = 262_144
const MOST_BYTES = 4_194_304
const ENTRIES = 1_000
/** Of one request, in all. */
const WRITE_BYTES = 67_108_864

interface Deps extends Pick<Kernel, 'transaction'> {
  waking: Waking
  computerService: ComputerService
  transitions: Transitions
}

/** Files of computers. What reads and writes them has no more rights than the agent's own programs, and sees nothing else. */
export function createFileService({ transaction, waking, computerService, transitions }: Deps) {
  async function readAt(by: Principal, row: ComputerRow, query: ReadQuery): Promise<ComputerFile> {
    const { path = '.', offset = 0, length, encoding } = query
    const machine = await waking.wake(row, by)
    const parts: Buffer[] = []
    let size = 0
    const most = Math.min(length ?? READ_BYTES, MOST_BYTES)
    const task = machine.perform<ReadEnd>(
      { op: 'read', path, offset, length: most },
      {
        output(bytes) {
          // It may say more than it was asked for.
          if (size < most) parts.push(bytes.subarray(0, most - size))
          size += bytes.length
        }
      }
    )
    const end = checked(await task.done, 'path')
    const known = {
      path: String(end.path),
      size: end.size,
      mode: end.mode,
      modifiedAt: end.modifiedAt,
      offset
    }
    if (end.type === 'folder') {
      const entries = (end.entries ?? []).slice(0, Math.min(length ?? ENTRIES, ENTRIES))
      const next = offset + entries.length
      return {
        ...known,
        type: 'folder',
        encoding: null,
        content: null,
        entries,
        nextOffset: next < end.size ? next : null
      }
    }
    const bytes = Buffer.concat(parts)
    const next = offset + bytes.length < end.size ? offset + bytes.length : null
    const whole = encoding === 'base64' ? undefined : textOf(bytes, next !== null)
    const isText = whole !== undefined && (encoding === 'utf8' || isUtf8(whole))
    if (!isText)
      return {
        ...known,
        type: 'file',
        encoding: 'base64',
        content: bytes.toString('base64'),
        entries: null,
        nextOffset: next
      }
    const content = whole.toString('utf8')
    return {
      ...known,
      type: 'file',
      encoding: 'utf8',
      content,
      entries: null,
      nextOffset: next === null ? null : offset + whole.length
    }
  }

  async function writeAt(by: Principal, row: ComputerRow, { files }: WriteFiles) {
    const contents = files.map(({ content, encoding = 'utf8' }, index) => {
      const bytes = encoding === 'base64' ? bytesOfBase64(content) : Buffer.from(content, encoding)
      if (!bytes) throw invalid(`/files/${index}/content`, `/files/${index}/content must be base64`)
      return bytes
    })
    if (contents.reduce((sum, { length }) => sum + length, 0) > WRITE_BYTES)
      throw tooLarge(`At most ${WRITE_BYTES} bytes are written at once`, { param: '/files' })
    const orders = files.map(({ path, mode }, index) => ({
      path,
      size: contents[index]?.length ?? 0,
      ...(mode !== undefined && { mode })
    }))
    return sendTo(by, row, orders, contents)
  }

  /** Files of these sizes, whose bytes follow one after the other. */
  async function sendTo(
    by: Principal,
    row: ComputerRow,
    orders: WriteOrder['files'],
    contents: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  ) {
    const machine = await waking.wake(row, by)
    const task = machine.perform<WriteEnd>({ op: 'write', files: orders })
    let left = orders.reduce((sum, { size }) => sum + size, 0)
    try {
      for await (const bytes of contents) {
        left -= bytes.length
        if (!task.input(bytes)) await task.drained()
      }
    } finally {
      // What is not there whole is not there.
      if (left > 0) task.inputEnd()
    }
    const end = await task.done
    const index = 'fault' in end ? orders.findIndex(({ path }) => path === end.fault.path) : -1
    const { files: written } = checked(end, `/files/${Math.max(0, index)}/path`)
    await transaction(async (trx) => {
      await transitions.note(
        trx,
        row,
        'files_written',
        written
          .map(({ path }) => path)
          .join(', ')
          .slice(0, 500)
      )
      await transitions.tell(trx, by, 'computers.files_written', row)
    })
    return { files: written }
  }

  return {
    readAt,
    writeAt,
    read: async (by: Principal, agentId: string, query: ReadQuery) =>
      readAt(by, await computerService.enabled(by, agentId, 'read'), query),
    write: async (by: Principal, agentId: string, asked: WriteFiles) =>
      writeAt(by, await computerService.enabled(by, agentId, 'change'), asked),
    /** Files of any size, whose bytes follow one after the other: each is there whole, or not at all. */
    send: async (
      by: Principal,
      agentId: string,
      files: WriteOrder['files'],
      contents: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
    ) => sendTo(by, await computerService.enabled(by, agentId, 'change'), files, contents)
  }
}

/** Bytes of whole characters: a part may end within one. */
function textOf(bytes: Buffer, isPart: boolean): Buffer {
  if (!isPart || isUtf8(bytes)) return bytes
  for (let left = 1; left <= 3 && left < bytes.length; left++) {
    const shorter = bytes.subarray(0, bytes.length - left)
    if (isUtf8(shorter)) return shorter
  }
  return bytes
}

/** What a computer answered, or why it could not, in the caller's words. */
function checked<T extends object>(end: T | Fault, param: string): T {
  if (!('fault' in end)) return end
  const { code, message } = end.fault
  const said = String(message).slice(0, 500)
  if (code === 'outside_home' || code === 'ELOOP') throw invalid(param, said, 'outside_home')
  if (code === 'ENOENT') throw notFound('File', { param })
  if (['ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'not_a_file'].includes(code))
    throw invalid(param, said, 'not_a_file')
  if (['ENOSPC', 'EFBIG', 'EDQUOT'].includes(code))
    throw insufficientStorage('The disk of the computer is full', { code: 'storage_exceeded' })
  throw conflict(said, { code: 'computer_refused', param })
}
