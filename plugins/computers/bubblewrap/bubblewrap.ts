import { spawn } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { prepareGuest } from '../local/guest-program.ts'
import { createHomes, listen } from '../local/homes.ts'
import { watch } from '../local/watching.ts'
import type { Ending } from '../provider/machine.ts'
import { createMachine } from '../provider/machine.ts'
import type { Provider, StartOrder, Usability } from '../provider/provider.ts'
import type { Confinement } from './arguments.ts'
import { commandOf } from './arguments.ts'
import type { Groups } from './groups.ts'
import { createGroups, removeLeftGroups } from './groups.ts'
import { createFilter } from './seccomp.ts'

const INSTALL =
  'install bubblewrap (apt-get install bubblewrap) on a Linux that lets the platform make namespaces'
const START_MS = 10_000
const MOST_ERROR = 2_000
/** Of what is too much already: a folder more. */
const SLACK = 1_048_576
const MOST_TASKS = 1_024
/** The one that made the namespace, its first one, and the one that takes orders. */
const OWN_PROCESSES = 3

/** What a shell does before: puts itself into control groups, and takes limits that all below it inherit. */
const PREPARE = `ulimit -c 0; ulimit -n 8192 2>/dev/null; ulimit -f "$1"; shift
while [ "$1" != -- ]; do echo $$ >"$1" || exit 97; shift; done; shift; exec "$@"`

type Place = Omit<Confinement, 'filter' | 'guest'>
interface Options {
  /** A folder of its own, which it makes. */
  readonly folder: string
  /** Of the platform, never to be seen. */
  readonly hidden: readonly string[]
  /** How long a computer may say nothing while it has an order. */
  readonly silenceMs?: number
}

/** Computers as processes of this machine, in namespaces of their own, by bubblewrap. */
export function createBubblewrap({ folder, hidden, silenceMs }: Options): Provider {
  const homes = createHomes(folder)
  let found: Promise<Usability> | undefined

  async function start({ number, hostname, egress, ...size }: StartOrder) {
    const place = await homes.open(number, hostname)
    const used = await homes.measure(number)
    const most = size.storageMb * 1_048_576
    const groups = await createGroups(number, size)
    const unlisten = await listen(place.egress, egress)
    const confinement = { ...place, hidden, hostname, memoryMb: size.memoryMb }
    try {
      const blocks = Math.max(0, used >= most ? 0 : Math.floor(most / 512))
      const { machine, isGone, pid } = await begin(confinement, groups, blocks, size.memoryMb)
      void machine.ended.then(async () => {
        await isGone
        await unlisten()
        await groups.remove()
      })
      const measure = () => homes.measure(number)
      void watch({
        measure,
        most: used < most ? most : used + SLACK,
        machine,
        pid,
        ownProcesses: OWN_PROCESSES
      }).catch(() => machine.stop('storage_exceeded'))
      return machine
    } catch (error) {
      await unlisten()
      await groups.remove()
      throw error
    }
  }

  async function begin(place: Place, groups: Groups, blocks: number, memoryMb: number) {
    const { filter: file, guest } = await prepare()
    const filter = openSync(file, 'r')
    try {
      return await connect({ given: { ...place, guest }, groups, blocks, memoryMb, filter, silenceMs })
    } finally {
      closeSync(filter)
    }
  }

  let prepared: Promise<{ filter: string; guest: string }> | undefined
  /** What all of them have in common. */
  const prepare = () => {
    prepared ??= (async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const bytes = createFilter()
      if (!bytes) throw new Error(`No filter of system calls is known for ${process.arch}`)
      const filter = join(folder, 'system-calls.bpf')
      writeFileSync(filter, bytes)
      return { filter, guest: await prepareGuest(folder) }
    })()
    prepared.catch(() => {
      prepared = undefined
    })
    return prepared
  }

  async function look(): Promise<Usability> {
    const refuse = (reason: string): Usability => ({ usable: false, reason, install: INSTALL })
    if (process.platform !== 'linux') return refuse('bubblewrap needs Linux')
    await removeLeftGroups()
    const probe = await mkdtemp(join(tmpdir(), 'agent-platform-computer-'))
    const inner = createHomes(probe)
    const groups = await createGroups(0, { vcpu: 1, memoryMb: 256, storageMb: 1, gpu: 0 })
    try {
      const place = await inner.open(0, 'probe')
      writeFileSync(place.egress, '')
      const confinement = { ...place, hidden, hostname: 'probe', memoryMb: 256 }
      const { machine, isGone } = await begin(confinement, groups, 2_048, 256)
      await machine.stop()
      await isGone
      const missing = (['memory', 'pids', 'cpu'] as const).filter((it) => !groups.capped.has(it))
      const warnings =
        missing.length === 0
          ? []
          : [
              `no control group caps ${missing.join(', ')} of a computer: limits of single processes are all there is`
            ]
      return { usable: true, warnings }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return refuse(code === 'ENOENT' ? 'bwrap is not installed' : `bwrap does not work here: ${message}`)
    } finally {
      await groups.remove()
      await rm(probe, { recursive: true, force: true })
    }
  }

  return {
    name: 'bubblewrap',
    capabilities: { isolation: 'namespaces', network: true, gpu: false, snapshot: false },
    async look() {
      found ??= look()
      const known = await found
      if (!known.usable) found = undefined
      return known
    },
    refuses({ vcpu, memoryMb, gpu }) {
      if (gpu > 0) return { param: 'gpu', reason: 'bubblewrap gives no GPU: 0' }
      const processors = availableParallelism()
      if (vcpu > processors) return { param: 'vcpu', reason: `this machine has ${processors}` }
      const most = Math.floor(totalmem() / 1_048_576)
      if (memoryMb > most) return { param: 'memoryMb', reason: `this machine has ${most}` }
    },
    start,
    remove: homes.remove,
    measure: homes.measure
  }
}

interface Connecting {
  readonly given: Omit<Confinement, 'filter'>
  readonly groups: Groups
  readonly blocks: number
  readonly memoryMb: number
  readonly filter: number
  readonly silenceMs: number | undefined
}

/** Starts it, and resolves with what answers; rejects with what it said, if it does not. */
async function connect({ given, groups, blocks, memoryMb, filter, silenceMs }: Connecting) {
  const command = commandOf({ ...given, filter: 4 })
  const limits = [
    // Of all processes of that user, who has no other computer.
    ...(given.uid === undefined ? [] : [`--nproc=${MOST_TASKS}`]),
    ...(groups.capped.has('memory') ? [] : [`--data=${memoryMb * 1_048_576}`])
  ]
  const limited = limits.length === 0 ? command : ['prlimit', ...limits, '--', ...command]
  const child = spawn('/bin/sh', ['-c', PREPARE, 'sh', String(blocks), ...groups.entries, '--', ...limited], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', filter],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    cwd: '/'
  })
  let said = ''
  child.stderr?.on('data', (bytes) => {
    if (said.length < MOST_ERROR) said += bytes
  })
  let reason: Ending = 'lost'
  const isGone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ended = new Promise<Ending>((resolve) => child.once('exit', () => resolve(reason)))
  const stop = (because: Ending) => {
    if (reason === 'lost') reason = because
    // With the first process of its namespace all others end.
    child.kill('SIGKILL')
  }
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      const missing = code === 127 || /execvp bwrap|bwrap: not found/.test(said)
      const error = new Error(said.trim().slice(0, MOST_ERROR) || `it ended with ${code}`)
      reject(missing ? Object.assign(error, { code: 'ENOENT' }) : error)
    })
  })
  const timer = setTimeout(() => stop('lost'), START_MS)
  try {
    const connection = child.stdio[3] as Duplex
    const machine = await Promise.race([
      createMachine({ connection, stop, ended, memory: groups.memory, silenceMs }),
      failed
    ])
    return { machine, isGone, pid: child.pid as number }
  } finally {
    clearTimeout(timer)
  }
}
