import type { SandboxCode } from '../../sandbox/contract.ts'

/** The function was stopped, or lost, in the middle: what it did until then is done. */
const cut = new Set<unknown>([
  'sandbox_lost',
  'cpu_exceeded',
  'time_exceeded',
  'memory_exceeded',
  'too_many_pending',
  'aborted'
] satisfies SandboxCode[])

/** Whether it is unknown what of the call was done. */
export const isCut = (error: unknown): boolean => cut.has((Object(error) as { code?: unknown }).code)

/** The app is not what its manifest says. */
const broken = new Set<unknown>(['not_a_function', 'invalid_program', 'invalid_output'] satisfies (
  | SandboxCode
  | 'invalid_output'
)[])

/** Whether the function itself refused, or was refused what it asked for: to call it again would be of no use. */
export const isRefusal = (error: unknown): error is Error => {
  const { kind, code } = Object(error) as { kind?: unknown; code?: unknown }
  return kind === 'upstream' && !cut.has(code) && !broken.has(code)
}
