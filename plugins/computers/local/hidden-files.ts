import type { Stats } from 'node:fs'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { HOME } from './surroundings.ts'

const DELETED = ' (deleted)'
/** Of all processes of a computer: who has more is not looked at any further. */
const MOST_OPEN = 50_000
const GONE = new Set(['ENOENT', 'ESRCH'])

/**
 * Bytes of files of the home that have no name any more, but that a process of the computer has open or in its memory: they take
 * the disk, and no look at the home finds them. Infinity where that cannot be told.
 */
export async function measureHidden(pids: readonly number[]): Promise<number> {
  const sizes = new Map<number, number>()
  let left = MOST_OPEN
  const add = ({ ino, nlink, blocks }: Stats) => {
    if (nlink === 0) sizes.set(ino, blocks * 512)
  }
  for (const pid of pids) {
    const isMeasured = await unlessGone(async () => {
      const files = await readdir(`/proc/${pid}/fd`)
      left -= files.length
      if (left < 0) return false
      for (const file of files) {
        const path = `/proc/${pid}/fd/${file}`
        if (await unlessGone(async () => isHidden(await nameOf(path))))
          await unlessGone(async () => add(await stat(path)))
      }
      const mapped = (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n')
      for (const line of mapped) {
        const [, range, inode] = /^(\S+) \S+ \S+ \S+ (\d+) +\S/.exec(line) ?? []
        if (!range || !line.includes(` ${HOME}/`) || !line.endsWith(DELETED)) continue
        if (!sizes.has(Number(inode)))
          await unlessGone(async () => add(await stat(`/proc/${pid}/map_files/${range}`)))
      }
      return true
    }).catch(() => false)
    if (isMeasured === false) return Number.POSITIVE_INFINITY
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

const isHidden = (name: string) => name.startsWith(`${HOME}/`) && name.endsWith(DELETED)

/** One that is too long to be told may be any. */
const nameOf = (path: string) =>
  readlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENAMETOOLONG') return `${HOME}/${DELETED}`
    throw error
  })

/** Undefined where the process or its file has gone meanwhile. */
async function unlessGone<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** The process and all that came of it: those of a namespace never leave the one that began it. */
export async function listProcesses(pid: number): Promise<number[]> {
  const all = [pid]
  for (let at = 0; at < all.length; at++) {
    const children = await unlessGone(() => readFile(`/proc/${all[at]}/task/${all[at]}/children`, 'utf8'))
    for (const child of (children ?? '').split(' ')) if (child.trim() !== '') all.push(Number(child))
  }
  return all
}
