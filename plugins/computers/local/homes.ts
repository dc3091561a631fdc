import { execFile } from 'node:child_process'
import { chownSync } from 'node:fs'
import { chmod, mkdir, open, rm, stat, writeFile } from 'node:fs/promises'
import type { Server } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Egress } from '../provider/egress.ts'
import { createInstallation } from './installation.ts'
import { HOME } from './surroundings.ts'

const run = promisify(execFile)
/** Of numbers that no user of the machine has, and no container is given. */
const FIRST_UID = 1_900_000_000
/** So many has an installation, in one of so many ranges: two on a machine do not share them as a rule. */
const [RANGE, RANGES] = [100_000, 2_400]
const LAST_UID = FIRST_UID + RANGE * (RANGES + 1) - 1
/** Of an address of a socket in the file system. */
const LONGEST = 100
const MEASURE_MS = 60_000
const MOST_SAID = 1_048_576
/** Of a file that is empty: it takes something all the same. */
const INODE = 1_024

/** The range is told by what names the installation; the first is that of homes that were made before there were ranges. */
export const uidOf = (installation: string, number: number): number =>
  FIRST_UID + RANGE * (1 + (Number.parseInt(installation.slice(0, 12), 16) % RANGES)) + number

/**
 * What computers keep, each in a folder of its own: its home, files of the machine that it sees otherwise, its way out. `own` is the
 * user of all of them where none can be given one of its own.
 */
export function createHomes(root: string, own = 1_000) {
  const installation = createInstallation(root)
  const placeOf = (number: number) => {
    const folder = join(root, String(number))
    return {
      folder,
      home: join(folder, 'home'),
      settings: join(folder, 'etc'),
      egress: join(folder, 'egress.sock')
    }
  }

  /** Whose the home is; of a new one, the next of the installation. */
  async function userOf(home: string, number: number): Promise<number> {
    const { uid } = await stat(home)
    return uid >= FIRST_UID && uid <= LAST_UID ? uid : uidOf(await installation.take(), number)
  }

  /** Makes what is missing, for its user. */
  async function open(number: number, hostname: string) {
    const place = placeOf(number)
    await mkdir(root, { recursive: true, mode: 0o700 })
    await mkdir(place.folder, { recursive: true, mode: 0o700 })
    const made = await mkdir(place.home, { recursive: true, mode: 0o700 })
    const uid = process.getuid?.() === 0 ? await userOf(place.home, number) : undefined
    if (made && uid !== undefined) chownSync(place.home, uid, uid)
    await mkdir(place.settings, { recursive: true, mode: 0o755 })
    const id = uid ?? own
    const files = {
      passwd: `root:x:0:0:root:/root:/bin/false\nagent:x:${id}:${id}:agent:${HOME}:/bin/sh\n`,
      group: `root:x:0:\nagent:x:${id}:\n`,
      hosts: `127.0.0.1 localhost ${hostname}\n::1 localhost\n`,
      'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n'
    }
    for (const [name, text] of Object.entries(files)) {
      const file = join(place.settings, name)
      await writeFile(file, text)
      await chmod(file, 0o644)
    }
    return { ...place, uid }
  }

  return {
    open,
    remove: (number: number) => rm(placeOf(number).folder, { recursive: true, force: true }),
    /** Bytes that the home takes on the disk; Infinity where that cannot be told, as what is too much. */
    async measure(number: number): Promise<number> {
      const { home } = placeOf(number)
      const [bytes, files] = [await count(home, '--block-size=1'), await count(home, '--inodes')]
      return Math.max(bytes, files * INODE)
    }
  }
}

async function count(home: string, what: string): Promise<number> {
  const options = { timeout: MEASURE_MS, env: { LC_ALL: 'C', PATH: process.env.PATH }, maxBuffer: MOST_SAID }
  try {
    return Number.parseInt((await run('nice', ['-n', '19', 'du', '-sx', what, home], options)).stdout, 10)
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      killed
    } = error as { stdout?: string; stderr?: string; killed?: boolean }
    const bytes = Number.parseInt(stdout, 10)
    // What goes while it is counted is no failure, nor is a home that was never made.
    const others = stderr
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith(': No such file or directory'))
    if (killed || others.length > 0) return Number.POSITIVE_INFINITY
    return bytes || 0
  }
}

/** A socket in the file system, of which the computer gets that one file. */
export async function listen(path: string, egress: Egress): Promise<() => Promise<void>> {
  await rm(path, { force: true })
  const server: Server = createServer({ allowHalfOpen: true }, (connection) => egress.accept(connection))
  const folder = path.length > LONGEST ? await open(join(path, '..'), 'r') : undefined
  const name = folder ? `/proc/self/fd/${folder.fd}/egress.sock` : path
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(name, resolve)
  })
  await folder?.close()
  server.unref()
  // Nobody else comes through the folder that it lies in.
  await chmod(path, 0o666)
  return async () => {
    egress.close()
    await new Promise((resolve) => server.close(resolve))
    await rm(path, { force: true })
  }
}
