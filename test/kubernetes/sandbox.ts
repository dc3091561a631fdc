import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGroups } from '../../plugins/computers/bubblewrap/groups.ts'
import { bytesOf } from '../../plugins/computers/kubernetes/volumes.ts'
import type { Thing } from './client.ts'

const USERLAND = ['/bin', '/sbin', '/lib', '/lib64']
/** Becomes a member of control groups first, whose files stand before `--`. */
const JOIN = 'while [ "$1" != -- ]; do echo $$ >"$1" || exit 1; shift; done; shift; exec "$@"'
/** The first program says that it is there: bwrap tells of its process before it has made what that sees. */
const READY = 'echo >&4; exec 4>&-; exec "$@"'
/** Of the groups of this process: each has one of its own. */
let last = 1_000_000
const SETTINGS = ['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'ssl']

/** A container that runs, as processes of this machine. */
export interface Container {
  /** Resolves with its exit code. */
  readonly ended: Promise<number>
  exec(command: readonly string[]): ChildProcess
  kill(): void
  /** Bytes, as the kernel counts them; undefined where this machine makes no control groups. */
  memory(): Promise<number | undefined>
}
interface Options {
  readonly pod: Thing
  readonly folder: string
  /** Of the claim that is its home. */
  readonly home: string
  readonly hasNetwork: boolean
  readonly env: Readonly<Record<string, string>>
}

/**
 * A pod's one container by bubblewrap, as far as its specification matters: what it may see, who it is, what it runs, and where this
 * machine makes control groups what it may take.
 */
export async function runContainer({ pod, folder, home, hasNetwork, env }: Options): Promise<Container> {
  const [container] = pod.spec.containers
  const { runAsUser: uid } = container.securityContext
  const { memory, cpu } = container.resources.limits
  const vcpu = cpu.endsWith('m') ? Number.parseInt(cpu, 10) / 1_000 : Number(cpu)
  const memoryMb = (bytesOf(memory) ?? 0) / 1_048_576
  const groups = await createGroups(++last, { memoryMb, vcpu, storageMb: 0, gpu: 0 })
  const member = (...command: string[]) => ['-c', JOIN, 'sh', ...groups.entries, '--', ...command]
  const own = join(folder, pod.metadata.uid)
  mkdirSync(own, { recursive: true })
  const annotation = (name: string) => pod.metadata.annotations[`agent-platform/${name}`]
  const texts = {
    passwd: annotation('passwd'),
    group: annotation('group'),
    hosts: '127.0.0.1 localhost\n'
  }
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(own, name)
    writeFileSync(file, text)
    chmodSync(file, 0o644)
    return ['--ro-bind', file, `/etc/${name}`]
  })
  if (!existsSync(home)) {
    mkdirSync(home, { recursive: true })
    // As the kubelet leaves a volume, for `fsGroup`.
    chownSync(home, 0, pod.spec.securityContext.fsGroup)
    chmodSync(home, 0o2775)
  }
  const become = [
    ...['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--inh-caps=-all'],
    ...['--bounding-set=-all', '--no-new-privs', '--']
  ]
  const folders = (...paths: string[]) => paths.flatMap((path) => ['--perms', '0755', '--dir', path])
  const temporary = (path: string) => ['--perms', '1777', '--tmpfs', path]
  const given = [
    ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try', '--as-pid-1'],
    ...(hasNetwork ? [] : ['--unshare-net']),
    ...[
      '--die-with-parent',
      '--new-session',
      '--hostname',
      pod.spec.hostname,
      '--clearenv',
      '--info-fd',
      '3'
    ],
    ...[
      '--cap-drop',
      'ALL',
      '--cap-add',
      'CAP_SETUID',
      '--cap-add',
      'CAP_SETGID',
      '--cap-add',
      'CAP_SETPCAP'
    ],
    ...['--ro-bind', '/usr', '/usr', ...USERLAND.flatMap(bound)],
    ...['--tmpfs', '/usr/local', ...folders('/usr/local/bin')],
    ...['--ro-bind', process.execPath, '/usr/local/bin/node', ...folders('/etc')],
    ...SETTINGS.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...files.flat(),
    ...['--proc', '/proc', '--dev', '/dev', ...temporary('/dev/shm'), ...temporary('/tmp')],
    ...[...folders('/sys', '/sys/fs', '/sys/fs/cgroup'), ...groups.entries.flatMap(controlGroup)],
    ...[...folders('/var'), ...temporary('/var/tmp'), ...folders('/home'), '--bind', home, '/home/agent'],
    ...['--remount-ro', '/', '--chdir', '/'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])
  ]
  // Becoming another user forgets with whom it is to end.
  const dying = [...become.slice(0, -1), '--pdeathsig', 'KILL', '--']
  const first = ['/bin/sh', '-c', READY, 'sh', ...dying, ...container.command]
  const child = spawn('/bin/sh', member('bwrap', ...given, '--', ...first), {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe']
  })
  const exited = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 137)))
  const ended = exited.finally(groups.remove)
  const isReady = once(child.stdio[4] as Readable, 'data')
  const pid = await new Promise<number>((resolve, reject) => {
    let text = ''
    ;(child.stdio[3] as Readable).on('data', (bytes) => {
      text += bytes
      const [, found] = /"child-pid": (\d+)/.exec(text) ?? []
      if (found) isReady.then(() => resolve(Number(found)), reject)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`bwrap ended with ${code}`)))
  })
  const inside = new Set<ChildProcess>()
  const enter = ['--mount', '--uts', '--ipc', '--pid', '--root', '--wd=/', ...(hasNetwork ? [] : ['--net'])]
  return {
    ended,
    memory: groups.memory,
    kill() {
      try {
        // With the first process of its namespace all others end.
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
      // What entered stops with what it began, and would then keep the namespace.
      for (const entered of inside) entered.kill('SIGKILL')
    },
    exec(command) {
      const entering = ['nsenter', '--target', String(pid), ...enter, '--', ...become, ...command]
      const entered = spawn('/bin/sh', member(...entering), { env, stdio: 'pipe' })
      inside.add(entered)
      entered.once('exit', () => inside.delete(entered))
      return entered
    }
  }
}

/** A group as a container sees it: the one of version 2, or that of a controller of version 1. */
function controlGroup(entry: string): string[] {
  const [, controller] = /^\/sys\/fs\/cgroup\/(memory|pids|cpu)\//.exec(entry) ?? []
  return ['--ro-bind', dirname(entry), join('/sys/fs/cgroup', controller ?? '')]
}

function bound(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}
