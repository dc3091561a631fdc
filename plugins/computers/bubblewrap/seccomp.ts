import { arch } from 'node:process'
import { FAMILIES, NAMESPACES, NETLINK, refused, TERMINAL } from '../local/system-calls.ts'

// The filter of `local/system-calls.ts`, in the classic BPF that `bwrap --seccomp` takes.

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
