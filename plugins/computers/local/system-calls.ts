// What a computer may not ask of the kernel: other processes' memory, mounts and namespaces (a user namespace would give it rights that
// it does not have), the kernel's keys, programs in the kernel, its clocks and modules, and sockets of families that are not bound to
// its own network.

/** By name, with its number on x86-64 and on ARM64; null where there is none. */
export const refused: Readonly<Record<string, readonly [x64: number | null, arm64: number | null]>> = {
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
/** All `CLONE_NEW…` but that of time, whose bit is one of a signal there. */
export const NAMESPACES = 0x7e020000
/** UNIX, IPv4 and IPv6; netlink for routes alone, by which programs find their interfaces. */
export const FAMILIES = [1, 2, 10]
export const NETLINK = 16
/** By which input would be put into a terminal of others, TIOCSTI and TIOCLINUX. */
export const TERMINAL = [0x5412, 0x541c]
