import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../kernel/deployment.ts'
import { until } from './packs/stage.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
const run = promisify(execFile)
const needed = ['podman', 'runc', 'conmon', 'catatonit']
const folders = ['/usr/bin', '/usr/sbin', '/usr/libexec/podman', '/usr/local/bin']
/** Of this machine's userland, what an image needs, and what attacks are made with. */
const programs =
  'sh env ls cat echo grep head tail cut tr sort sleep id touch mkdir rm mknod mount umount ps pgrep setsid kill timeout perl find printf du stty script stat wc unshare df printenv tty'.split(
    ' '
  )
export const IMAGE = 'localhost/computer:latest'

/** Podman with a storage of its own, in that folder. */
function podmanIn(folder: string) {
  const own = (name: string) => join(folder, name)
  const options = [
    ...['--root', own('root'), '--runroot', own('run'), '--tmpdir', own('tmp'), '--runtime', 'runc'],
    ...['--cgroup-manager', 'cgroupfs', '--events-backend', 'none']
  ]
  const podman = async (...args: string[]) => (await run('podman', [...options, ...args])).stdout.trim()

  async function remove(): Promise<void> {
    await podman('rm', '--all', '--force', '--time', '0').catch(() => undefined)
    // Podman mounts it onto itself, also when it cleans up behind a container that ended just now.
    for (let tries = 0; ; tries++) {
      await run('umount', ['--lazy', join(own('root'), 'overlay')]).catch(() => undefined)
      const failed = await rm(folder, { recursive: true, force: true }).catch((error) => error)
      if (!failed) return
      if (tries >= 20) throw failed
    }
  }
  return { own, options, podman, remove }
}
const newFolder = () => mkdtemp(join(tmpdir(), 'agent-platform-docker-'))
/** As a sandbox of tests may not raise them, which Podman does where none are given. */
export const LIMITS = ['--ulimit', 'nproc=1024:1024', '--ulimit', 'nofile=1024:1024']

let lacking: Promise<string | false> | undefined
/** Why tests with containers are skipped here; false where they are not. */
export function noDocker(): Promise<string | false> {
  lacking ??= (async () => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0)
      return 'containers are tested as root on Linux'
    const missing = needed.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
    if (missing.length > 0) return `${missing.join(', ')} not installed`
    const { podman, remove } = podmanIn(await newFolder())
    try {
      await podman('import', await rootfs(), IMAGE)
      await podman('run', '--rm', '--network', 'none', '--memory', '64m', ...LIMITS, IMAGE, 'sleep', '0')
      return false
    } catch (error) {
      return `podman starts no container here: ${(error as Error).message.slice(0, 500)}`
    } finally {
      await remove()
    }
  })()
  return lacking
}

/**
 * A Docker daemon of the test's own, which is Podman's service, with one image, of which `changes` are lines of a Dockerfile. It
 * may speak plain HTTP to that registry, and goes with the test.
 */
export async function dockerDaemon(t: Scope, changes: readonly string[] = [], registry?: string) {
  const { own, options, podman, remove } = podmanIn(await newFolder())
  const socket = own('docker.sock')
  let service: ReturnType<typeof spawn> | undefined

  const ping = () =>
    new Promise<boolean>((answer) => {
      const asked = request({ socketPath: socket, path: '/_ping' }, (reply) => {
        reply.resume().on('end', () => answer(true))
      })
      asked.on('error', () => answer(false))
      asked.end()
    })
  async function start(): Promise<void> {
    service = spawn('podman', [...options, 'system', 'service', '--time', '0', `unix://${socket}`], {
      stdio: 'ignore',
      // Where conmon leaves a file once memory has run out.
      cwd: own('.'),
      env: { ...process.env, CONTAINERS_REGISTRIES_CONF: own('registries.conf') }
    })
    await until(ping, (answers) => {
      if (service?.exitCode !== null) throw new Error('podman does not serve')
      return answers
    })
  }
  async function stop(): Promise<void> {
    if (!service) return
    const gone = once(service, 'exit')
    service.kill('SIGKILL')
    await gone
    service = undefined
  }

  t.teardown(async () => {
    await stop()
    await remove()
  })
  const insecure = registry ? `[[registry]]\nlocation = "${registry}"\ninsecure = true\n` : ''
  await writeFile(own('registries.conf'), insecure)
  await podman('import', ...changes.flatMap((line) => ['--change', line]), await rootfs(), IMAGE)
  await start()
  return {
    host: `unix://${socket}`,
    podman,
    start,
    stop,
    signal: (name: NodeJS.Signals) => service?.kill(name),
    /** Ids of all that are there, running or not. */
    containers: async (...filters: string[]) =>
      (await podman('ps', '--all', '--quiet', ...filters)).split('\n').filter(Boolean)
  }
}

/** A tar of programs and their libraries, kept for the next process. */
async function rootfs(): Promise<string> {
  const digest = createHash('sha256').update(programs.join()).digest('hex').slice(0, 8)
  const kept = resolve(root, '.tap', `computer-${process.arch}-${process.version}-${digest}.tar`)
  if (existsSync(kept)) return kept
  const place = await mkdtemp(join(tmpdir(), 'agent-platform-rootfs-'))
  const files = join(place, 'files')
  try {
    for (const name of [
      'etc',
      'home',
      'run',
      'opt',
      'var',
      'proc',
      'sys',
      'dev',
      'tmp',
      'usr/bin',
      'usr/lib',
      'usr/lib64',
      'var/tmp'
    ])
      await mkdir(join(files, name), { recursive: true })
    await chmod(join(files, 'tmp'), 0o1777)
    for (const name of ['bin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(files, name))
    const found = programs.flatMap((name) => folders.map((at) => join(at, name)).find(existsSync) ?? [])
    const linked = [...found, process.execPath]
    const { stdout } = await run('ldd', linked)
    const libraries = new Set([...stdout.matchAll(/(\/[^\s:]+)(?= \()/g)].map(([, path]) => path as string))
    for (const path of [...found, ...libraries]) {
      const to = join(files, path)
      await mkdir(dirname(to), { recursive: true })
      await copyFile(await realpath(path), to)
    }
    await writeFile(join(files, 'etc', 'image'), 'of a test\n')
    await run('tar', ['-C', files, '-cf', join(place, 'image.tar'), '.'])
    await mkdir(dirname(kept), { recursive: true })
    const aside = `${kept}.${process.pid}`
    await copyFile(join(place, 'image.tar'), aside)
    await rename(aside, kept)
    return kept
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
