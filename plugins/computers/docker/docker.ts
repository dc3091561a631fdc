import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { prepareGuest } from '../local/guest-program.ts'
import { createHomes, listen } from '../local/homes.ts'
import { createInstallation } from '../local/installation.ts'
import { watch } from '../local/watching.ts'
import type { Provider, StartOrder, Usability } from '../provider/provider.ts'
import { socketOf } from './address.ts'
import { createContainers } from './containers.ts'
import { createDaemon, statusOf } from './daemon.ts'
import { createImages } from './images.ts'
import { probe } from './probe.ts'
import { createProfile } from './seccomp.ts'

const PING_MS = 3_000
/** Of what is too much already: a folder more. */
const SLACK = 1_048_576
/** The first one, which takes care of those whose parents ended, and the one that takes orders. */
const OWN_PROCESSES = 2
/** One that is younger may be another instance's look at whether any works. */
const YOUNG_MS = 60_000
const START =
  'install Docker, or Podman with `podman system service` and catatonit, and set DOCKER_HOST to its socket (unix:///var/run/docker.sock), which the platform must be allowed to use'

interface Options {
  /** A folder of its own, which it makes, and the daemon sees. */
  readonly folder: string
  /** As `DOCKER_HOST` is written. */
  readonly host: string
  /** The first one is that of whoever names none. */
  readonly images: readonly [string, ...string[]]
  readonly pulls: boolean
  readonly silenceMs?: number
}

/** Computers as containers of a Docker daemon on this machine, or of Podman's service in its place. */
export function createDocker({ folder, host, images: offered, pulls, silenceMs }: Options): Provider {
  const socket = socketOf(host)
  const daemon = createDaemon('path' in socket ? socket.path : '')
  const images = createImages(daemon, { pulls })
  const installation = createInstallation(folder)
  const containers = createContainers({ daemon, installation, silenceMs })
  const ownUser = process.getuid?.() ?? 1_000
  const homes = createHomes(folder, ownUser)
  /** What was found out about the daemon when it was looked at. */
  let known = { countsSwap: true, countsTasks: true, filter: '' }
  let looked: Promise<Usability> | undefined

  /** Starts a container on what lies in a folder of homes. */
  async function begin(order: StartOrder, its = homes, fileBytes = order.storageMb * 1_048_576) {
    const { number, hostname, egress, vcpu, memoryMb } = order
    const image = order.image ?? offered[0]
    const { volumes } = await images.take(image)
    const guest = await prepareGuest(folder)
    const { uid, ...place } = await its.open(number, hostname)
    const unlisten = await listen(place.egress, egress)
    const user = { user: uid ?? ownUser, isUserOwn: uid !== undefined }
    const size = { vcpu, memoryMb, fileBytes, ...known }
    try {
      const given = { image, volumes, hostname, guest, ...place, ...size, ...user }
      const started = await containers.start(number, given)
      void started.machine.ended.then(unlisten)
      return started
    } catch (error) {
      await unlisten()
      throw error
    }
  }

  async function start(order: StartOrder) {
    const { number, storageMb } = order
    const used = await homes.measure(number)
    const most = storageMb * 1_048_576
    const { machine, pid } = await begin(order, homes, used >= most ? 0 : most)
    const measure = () => homes.measure(number)
    const watched = { measure, most: used < most ? most : used + SLACK, ownProcesses: OWN_PROCESSES }
    void watch({ ...watched, machine, pid: pid ?? 0 }).catch(() => machine.stop('storage_exceeded'))
    return machine
  }

  /** Docker takes the profile itself, Podman the path of one. */
  async function filterOf(): Promise<string> {
    const profile = createProfile()
    if (profile === undefined) throw new Error(`no filter of system calls is known for ${process.arch}`)
    const { Components = [] } = await daemon.ask<{ Components?: { Name: string }[] }>('GET', '/version')
    if (!Components.some(({ Name }) => /podman/i.test(Name))) return profile
    const file = join(folder, 'system-calls.json')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, profile)
    return file
  }

  async function lookOnce(): Promise<Usability> {
    const refuse = (reason: string, install: string): Usability => ({ usable: false, reason, install })
    try {
      const info = await daemon.ask<Info>('GET', '/info')
      known = {
        countsSwap: info.SwapLimit === true,
        countsTasks: info.PidsLimit === true,
        filter: await filterOf()
      }
      const [image] = offered
      if (!pulls && !(await images.find(image)))
        return refuse(
          `the image ${image} is not there`,
          `run \`docker pull ${image}\`, or set COMPUTERS_DOCKER_IMAGE to one that is`
        )
      const seen = await probe(folder, (order, its) => begin(order, its))
      if (seen !== undefined) return refuse(...seen)
      const missing = capped.filter(([name]) => info[name] === false).map(([, what]) => what)
      const warnings =
        missing.length === 0 ? [] : [`the daemon caps no ${missing.join(', ')} of a computer here`]
      return { usable: true, warnings }
    } catch (error) {
      const { message } = error as Error
      if (statusOf(error) === 0) return refuse(message, START)
      return refuse(`no container starts: ${message}`, HELP)
    }
  }

  async function look(): Promise<Usability> {
    if ('refused' in socket) return { usable: false, reason: socket.refused, install: START }
    try {
      // One that worked may have ended since.
      await daemon.ask('GET', '/_ping', { ms: PING_MS })
    } catch (error) {
      return { usable: false, reason: (error as Error).message, install: START }
    }
    looked ??= lookOnce()
    const found = await looked
    if (!found.usable) looked = undefined
    return found
  }

  return {
    name: 'docker',
    capabilities: { isolation: 'container', network: true, gpu: false, snapshot: false },
    images: offered,
    look,
    refuses({ vcpu, memoryMb, gpu }) {
      if (gpu > 0) return { param: 'gpu', reason: 'containers are given no GPU here: 0' }
      const processors = availableParallelism()
      if (vcpu > processors) return { param: 'vcpu', reason: `this machine has ${processors}` }
      const most = Math.floor(totalmem() / 1_048_576)
      if (memoryMb > most) return { param: 'memoryMb', reason: `this machine has ${most}` }
    },
    start,
    remove: homes.remove,
    measure: homes.measure,
    async removeLeft(held) {
      if ('refused' in socket) return
      const before = Date.now() - YOUNG_MS
      const found = await containers.list()
      if (found.length === 0) return
      const numbers = await held()
      for (const { id, computer, createdAt } of found)
        if (!numbers.has(computer) && (computer !== 0 || createdAt < before)) await containers.remove(id)
    }
  }
}

interface Info {
  readonly MemoryLimit?: boolean
  readonly SwapLimit?: boolean
  readonly PidsLimit?: boolean
  readonly CpuCfsQuota?: boolean
}
const capped = [
  ['MemoryLimit', 'memory'],
  ['PidsLimit', 'processes'],
  ['CpuCfsQuota', 'processors']
] as const
const HELP =
  'see that the daemon is of this machine, sees the folder DATA_DIR and the Node.js of the platform, and that its image has glibc and /bin/sh'
