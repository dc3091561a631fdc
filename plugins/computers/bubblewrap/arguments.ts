import { lstatSync, readlinkSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { EGRESS, environment, HOME, OWN, OWN_SETTINGS, programOf, shareOf } from '../local/surroundings.ts'

/** The machine's userland, as far as it belongs to no one. */
const USERLAND = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** Files that programs look for, in which nothing is secret. */
const SETTINGS = [
  'alternatives',
  'ca-certificates.conf',
  'chromium',
  'chromium.d',
  'fonts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'ssl/certs',
  'ssl/openssl.cnf'
]
export interface Confinement {
  readonly home: string
  readonly settings: string
  readonly egress: string
  readonly guest: string
  readonly hostname: string
  readonly memoryMb: number
  /** Folders of the platform, which are hidden should they lie in the userland. */
  readonly hidden: readonly string[]
  /** File number of the filter of system calls. */
  readonly filter: number
  /** The user that it runs as, where this process is root; else a namespace makes it one. */
  readonly uid: number | undefined
}

/** The command that starts a computer, confined; it has the connection to the platform as file 3. */
export function commandOf(it: Confinement): string[] {
  const { uid } = it
  const size = String(shareOf(it.memoryMb))
  const bwrap = [
    'bwrap',
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...(uid === undefined ? ['--unshare-user', '--uid', '1000', '--gid', '1000', '--disable-userns'] : []),
    ...['--die-with-parent', '--new-session', '--hostname', it.hostname, '--clearenv'],
    ...['--cap-drop', 'ALL'],
    // To become that user, which gives them up.
    ...(uid === undefined
      ? []
      : ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name])),
    ...['--ro-bind', '/usr', '/usr', ...USERLAND.flatMap(bound)],
    ...it.hidden.filter((path) => path.startsWith('/usr/')).flatMap((path) => ['--tmpfs', path]),
    ...folder('/etc'),
    ...folder('/etc/ssl'),
    ...SETTINGS.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...OWN_SETTINGS.flatMap((name) => ['--ro-bind', `${it.settings}/${name}`, `/etc/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev', '--size', size, '--perms', '1777', '--tmpfs', '/dev/shm'],
    ...['--remount-ro', '/dev', '--size', size, '--perms', '1777', '--tmpfs', '/tmp'],
    ...folder('/var'),
    ...['--symlink', '/tmp', '/var/tmp'],
    ...folder('/run'),
    ...['--ro-bind', it.egress, EGRESS],
    ...folder('/opt'),
    ...folder(OWN),
    ...folder(`${OWN}/bin`),
    ...['--ro-bind', process.execPath, `${OWN}/bin/node`, '--ro-bind', it.guest, `${OWN}/guest`],
    ...folder('/home'),
    ...['--bind', it.home, HOME, '--remount-ro', '/', '--chdir', '/'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--seccomp', String(it.filter), '--']
  ]
  const user = String(uid)
  const become = [
    'setpriv',
    '--reuid',
    user,
    '--regid',
    user,
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--no-new-privs'
  ]
  return [...bwrap, ...(uid === undefined ? [] : become), ...programOf('file 3')]
}

const folder = (path: string) => ['--perms', '0755', '--dir', path]

/** As it is on the machine: a link into `/usr`, a folder, or not there. */
function bound(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isSymbolicLink()) return ['--ro-bind', path, path]
  const to = readlinkSync(path)
  return ['--symlink', isAbsolute(to) ? to : `/${to}`, path]
}
