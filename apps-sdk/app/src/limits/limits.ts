// What an app may use up. The platform, the command and the test double all take these numbers from here.
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** What one call of a function may take. A manifest may ask for less than a deployment allows, never for more. */
export const Limits = Type.Object(
  {
    cpuMs: Type.Integer({
      minimum: 10,
      maximum: 60_000,
      description: 'Milliseconds of the processor that one call may take'
    }),
    wallMs: Type.Integer({
      minimum: 100,
      maximum: 300_000,
      description:
        'Milliseconds until one call has to be answered, waiting included, and without the start of the app'
    }),
    memoryMb: Type.Integer({
      minimum: 16,
      maximum: 512,
      description: 'Megabytes of memory of the app as a whole'
    })
  },
  { additionalProperties: false }
)
export type Limits = Static<typeof Limits>

/** Where a deployment says nothing else. */
export const defaultLimits: Limits = { cpuMs: 1_000, wallMs: 30_000, memoryMb: 64 }

/** Of a version: what is larger is not registered. Sizes are in bytes. */
export const packageLimits = {
  files: 200,
  bytes: 8_388_608,
  serverBytes: 2_097_152,
  /** A page is one document with everything in it. */
  pageBytes: 2_097_152,
  iconBytes: 1_048_576,
  manifestBytes: 262_144
} as const

/** What an app has: what it asks for, as far as the deployment allows it, and else what that allows. */
export const effectiveLimits = (asked: Partial<Limits> | undefined, most: Limits): Limits => ({
  cpuMs: Math.min(asked?.cpuMs ?? most.cpuMs, most.cpuMs),
  wallMs: Math.min(asked?.wallMs ?? most.wallMs, most.wallMs),
  memoryMb: Math.min(asked?.memoryMb ?? most.memoryMb, most.memoryMb)
})

/** What one call may send, ask for at a time and log, where a deployment says nothing else. */
export const callLimits = {
  /** UTF-16 code units of JSON of an input, a result, parameters or an answer. */
  messageSize: 1_048_576,
  /** Levels of the same. */
  depth: 64,
  /** Calls of the platform that wait. */
  pending: 32,
  logLines: 200,
  /** Functions that are calling each other. */
  calls: 8
} as const
