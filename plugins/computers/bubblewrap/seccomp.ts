import { arch } from 'node:process'

// A filter of system calls, in the classic BPF that `bwrap --seccomp` takes. What a computer may not ask of the kernel: other
// processes' memory, mounts and namespaces (a user namespace would give it rights that it does not have), the kernel's keys,
// programs in the kernel, its clocks and modules, and sockets of families that are not bound to its own network.

/** By name, with its number on x86-64 and on ARM64; null where there is none. */
const refused: Readonly<Record<string, readonly [x64: number | null, arm64: number | null]>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  setns: [308, 268],
  unshare: [272, 97],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  syslog: [103, 116],
  acct: [163, 89],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  lookup_dcookie: [212, 18]
}
const asked = {
  x64: { index: 0, audit: 0xc000003e, clone: 56, clone3: 435, socket: 41, ioctl: 16 },
  arm64: { index: 1, audit: 0xc00000b7, clone: 220, clone3: 435, socket: 198, ioctl: 29 }
} as const

const [LOAD, EQUALS, AT_LEAST, HAS, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06]
const ALLOW = 0x7fff0000
const KILL = 0x80000000
const errno = (number: number) => 0x00050000 | number
const [EPERM, ENOSYS, EAFNOSUPPORT] = [errno(1), errno(38), errno(97)]
/** Where an argument's low half lies in `seccomp_data`. */
const argument = (index: number) => 16 + 8 * index
/** All `CLONE_NEW…` but that of time, whose bit is one of a signal there. */
const NAMESPACES = 0x7e020000
/** UNIX, IPv4 and IPv6; netlink for routes alone, by which programs find their interfaces. */
const [FAMILIES, NETLINK] = [[1, 2, 10], 16]
/** By which input would be put into a terminal of others, TIOCSTI and TIOCLINUX. */
const TERMINAL = [0x5412, 0x541c]

type Instruction = readonly [code: number, yes: number, no: number, value: number]

/** The filter for this machine; undefined where its processor is not known. */
export function createFilter(processor: string = arch): Buffer | undefined {
  const known = asked[processor as keyof typeof asked]
  if (!known) return undefined
  const program: Instruction[] = [
    [LOAD, 0, 0, 4],
    [EQUALS, 1, 0, known.audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, 0],
    // The numbers of x32, which are others.
    ...(processor === 'x64'
      ? ([
          [AT_LEAST, 0, 1, 0x40000000],
          [RETURN, 0, 0, KILL]
        ] as const)
      : [])
  ]
  for (const numbers of Object.values(refused)) {
    const number = numbers[known.index]
    if (number !== null) program.push([EQUALS, 0, 1, number], [RETURN, 0, 0, EPERM])
  }
  // Its flags lie in memory, which no filter sees: programs take `clone` where there is none.
  program.push([EQUALS, 0, 1, known.clone3], [RETURN, 0, 0, ENOSYS])
  const when = (call: number, body: readonly Instruction[]) =>
    program.push([EQUALS, 0, body.length, call], ...body)
  when(known.clone, [
    [LOAD, 0, 0, argument(0)],
    [HAS, 0, 1, NAMESPACES],
    [RETURN, 0, 0, EPERM],
    [RETURN, 0, 0, ALLOW]
  ])
  when(known.ioctl, [
    [LOAD, 0, 0, argument(1)],
    ...TERMINAL.flatMap((number): Instruction[] => [
      [EQUALS, 0, 1, number],
      [RETURN, 0, 0, EPERM]
    ]),
    [RETURN, 0, 0, ALLOW]
  ])
  when(known.socket, [
    [LOAD, 0, 0, argument(0)],
    ...FAMILIES.flatMap((family): Instruction[] => [
      [EQUALS, 0, 1, family],
      [RETURN, 0, 0, ALLOW]
    ]),
    [EQUALS, 0, 3, NETLINK],
    [LOAD, 0, 0, argument(2)],
    [EQUALS, 0, 1, 0],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, EAFNOSUPPORT]
  ])
  program.push([RETURN, 0, 0, ALLOW])
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(([code, yes, no, value], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  })
  return bytes
}
