import { arch } from 'node:process'
import { FAMILIES, NAMESPACES, NETLINK, refused, TERMINAL } from '../local/system-calls.ts'

// The filter of `local/system-calls.ts` as daemons take it. Those that they have by default differ: Podman's lets programs make
// namespaces of users, and speak to the host of a virtual machine, network or not.

const known = { x64: 'SCMP_ARCH_X86_64', arm64: 'SCMP_ARCH_AARCH64' }
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
/** Families of sockets that Linux knows; it refuses those behind them. */
const MOST_FAMILY = 45
/** The kernel looks at no more of such an argument. */
const LOW = 0xffffffff

const call = (names: readonly string[], errnoRet: number, ...args: object[]) => ({
  names,
  action: 'SCMP_ACT_ERRNO',
  errnoRet,
  args
})
const has = (index: number, mask: number, value: number) => ({
  index,
  value: mask,
  valueTwo: value,
  op: 'SCMP_CMP_MASKED_EQ'
})
/** Single bits of a number. */
const bits = (of: number) =>
  Array.from({ length: 32 }, (_, bit) => 2 ** bit).filter((bit) => (of & bit) !== 0)

/** The profile for this machine, as JSON; undefined where its processor is not known. */
export function createProfile(processor: string = arch): string | undefined {
  const architecture = known[processor as keyof typeof known]
  if (!architecture) return undefined
  const families = Array.from({ length: MOST_FAMILY + 1 }, (_, family) => family).filter(
    (family) => !FAMILIES.includes(family) && family !== NETLINK
  )
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    // Calls by the numbers of another one end the process.
    architectures: [architecture],
    syscalls: [
      call(Object.keys(refused), EPERM),
      // Its flags lie in memory, which no filter sees: programs take `clone` where there is none.
      call(['clone3'], ENOSYS),
      ...bits(NAMESPACES).map((bit) => call(['clone'], EPERM, has(0, bit, bit))),
      ...TERMINAL.map((number) => call(['ioctl'], EPERM, has(1, LOW, number))),
      ...families.map((family) => call(['socket'], EAFNOSUPPORT, has(0, LOW, family))),
      call(['socket'], EAFNOSUPPORT, has(0, LOW, NETLINK), { index: 2, value: 0, op: 'SCMP_CMP_NE' })
    ]
  })
}
