/** Why a pack could not be loaded, on one line; trying again makes sense when its files have changed. */
export class LoadFault extends Error {}

/** Why a pack could not be part of a generation; the message begins with the phase in which that showed. */
export class PackFault extends Error {
  readonly pack: string

  constructor(
    pack: string,
    phase: 'requirements' | 'migrations' | 'services' | 'start' | 'contributions' | 'routes',
    cause: unknown
  ) {
    super(`${phase}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.pack = pack
  }
}

const LONGEST_MS = 10_000

/** Rejects when a pack takes too long: a change of packs waits for it. */
export async function within<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const fault = new Error(`${what} took more than ${LONGEST_MS / 1000} s`)
  const timer = setTimeout(() => reject(fault), LONGEST_MS)
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
