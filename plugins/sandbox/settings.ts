import type { Static } from 'typebox'
import { Type } from 'typebox'

export const SandboxSettings = Type.Object({
  processes: Type.Integer({
    env: 'SANDBOX_PROCESSES',
    minimum: 2,
    maximum: 64,
    default: 6,
    description: 'Processes at a time; each belongs to one project while it has programs in it'
  }),
  warm: Type.Integer({
    env: 'SANDBOX_WARM',
    minimum: 1,
    maximum: 10_000,
    default: 50,
    description: 'Programs that stay loaded, over all processes; the least used leaves first'
  }),
  warmPerProcess: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 25,
    description: 'Programs that stay loaded in one process'
  }),
  idleSeconds: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: 120,
    description: 'Seconds without a call after which a process ends'
  }),
  processMegabytes: Type.Integer({
    minimum: 128,
    maximum: 65_536,
    default: 512,
    description: 'Memory of a process; what takes more is ended, and blamed on the program that ran'
  }),
  cpuMilliseconds: Type.Integer({
    env: 'SANDBOX_CPU_MILLISECONDS',
    minimum: 10,
    maximum: 60_000,
    default: 1_000,
    description: 'Milliseconds of the processor that a call may take'
  }),
  burstMilliseconds: Type.Integer({
    env: 'SANDBOX_BURST_MILLISECONDS',
    minimum: 1,
    maximum: 3_600_000,
    default: 250,
    description:
      'Milliseconds of the processor that a program may take at once, beyond a twentieth of one in the long run, before it gets only what others leave'
  }),
  wallMilliseconds: Type.Integer({
    env: 'SANDBOX_WALL_MILLISECONDS',
    minimum: 100,
    maximum: 600_000,
    default: 30_000,
    description: 'Milliseconds that a call may take, with all that it waits for'
  }),
  heapMegabytes: Type.Integer({
    env: 'SANDBOX_HEAP_MEGABYTES',
    minimum: 16,
    maximum: 4_096,
    default: 64,
    description: "Megabytes of a program's heap"
  }),
  pending: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 32,
    description: 'Calls of the platform that a call may have waiting'
  }),
  messageSize: Type.Integer({
    minimum: 1_024,
    maximum: 16_777_216,
    default: 1_048_576,
    description:
      "Maximum size of a function's input, its result or a platform call's parameters, in UTF-16 code units"
  }),
  logLines: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 200,
    description: 'Lines of its log that a call may write'
  }),
  callsPerOwner: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 256,
    description: 'Calls of one owner that may wait for a process'
  })
})
export type SandboxSettings = Static<typeof SandboxSettings>
