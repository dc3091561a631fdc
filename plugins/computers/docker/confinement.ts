import { EGRESS, environment, HOME, OWN, OWN_SETTINGS, programOf, shareOf } from '../local/surroundings.ts'

/** Threads and processes: a browser has hundreds. */
const MOST_TASKS = 1_024
const MOST_OF_USER = 32_768
const MOST_FILES = 8_192
const PERIOD = 1_000_000_000

export interface Confinement {
  readonly image: string
  /** Folders of the image that would be disks of their own, beside that of the home. */
  readonly volumes: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly hostname: string
  readonly home: string
  readonly settings: string
  readonly egress: string
  readonly guest: string
  readonly vcpu: number
  readonly memoryMb: number
  /** Of the largest file. */
  readonly fileBytes: number
  readonly countsSwap: boolean
  readonly countsTasks: boolean
  /** Of system calls: a profile, or where Podman finds one. */
  readonly filter: string
  /** User and group on this machine. */
  readonly user: number
  /** Whether nobody else has that user, so that its processes can be counted by it. */
  readonly isUserOwn: boolean
}

/** What a container is made of: nothing of this machine but its home, its way out, and a Node.js with the program that listens. */
export function containerOf(it: Confinement): object {
  const share = shareOf(it.memoryMb)
  const memory = it.memoryMb * 1_048_576
  const temporary = `rw,exec,nosuid,nodev,mode=1777,size=${share}`
  // Counted by user, of whom there may be others on this machine: it caps only where nothing else does.
  const tasks = it.countsTasks || !it.isUserOwn ? MOST_OF_USER : MOST_TASKS
  const limits = [
    { Name: 'nofile', Soft: MOST_FILES, Hard: MOST_FILES },
    { Name: 'core', Soft: 0, Hard: 0 },
    { Name: 'fsize', Soft: it.fileBytes, Hard: it.fileBytes },
    { Name: 'nproc', Soft: tasks, Hard: tasks }
  ]
  return {
    Image: it.image,
    Entrypoint: programOf('stdio'),
    Cmd: [],
    WorkingDir: '/',
    // Options that the image gives to every Node.js are not for this one.
    Env: Object.entries({ ...environment, NODE_OPTIONS: '' }).map(([name, value]) => `${name}=${value}`),
    User: `${it.user}:${it.user}`,
    Hostname: it.hostname,
    Labels: it.labels,
    Healthcheck: { Test: ['NONE'] },
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    // It hears of the end of the connection, and ends, also where this process was killed.
    StdinOnce: true,
    Tty: false,
    HostConfig: {
      NetworkMode: 'none',
      IpcMode: 'private',
      CapDrop: ['ALL'],
      Privileged: false,
      SecurityOpt: ['no-new-privileges', `seccomp=${it.filter}`],
      ReadonlyRootfs: true,
      Init: true,
      // Whoever takes the first program's place writes to the same output: none of it is kept.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      Memory: memory,
      ...(it.countsSwap && { MemorySwap: memory }),
      NanoCpus: Math.round(it.vcpu * PERIOD),
      PidsLimit: MOST_TASKS,
      Ulimits: limits,
      ShmSize: share,
      Tmpfs: Object.fromEntries(['/tmp', '/var/tmp', ...it.volumes].map((path) => [path, temporary])),
      Mounts: [
        bound(it.home, HOME, false),
        bound(it.egress, EGRESS),
        bound(process.execPath, `${OWN}/bin/node`),
        bound(it.guest, `${OWN}/guest`),
        ...OWN_SETTINGS.map((name) => bound(`${it.settings}/${name}`, `/etc/${name}`))
      ]
    }
  }
}

/** Unlike `Binds`, it fails where there is nothing, and makes no folder there. */
const bound = (Source: string, Target: string, ReadOnly = true) => ({
  Type: 'bind',
  Source,
  Target,
  ReadOnly,
  BindOptions: { Propagation: 'rprivate' }
})
