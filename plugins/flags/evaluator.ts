import type { JsonValue, Logger } from '@openfeature/core'
import { FlagdCore } from '@openfeature/flagd-core'
import type { Principal } from 'agent-platform'

/** A flag as flagd has it. */
export interface Flag {
  readonly state: 'ENABLED' | 'DISABLED'
  readonly variants: Readonly<Record<string, unknown>>
  readonly defaultVariant?: string | null
  readonly targeting?: Readonly<Record<string, unknown>>
  readonly metadata?: Readonly<Record<string, string | number | boolean>>
}

/** What a flag is for someone. */
export interface Resolved {
  readonly value: unknown
  readonly variant: string | null
  readonly reason: string
  readonly error: string | null
}

const nothing = () => undefined
const silent: Logger = { error: nothing, warn: nothing, info: nothing, debug: nothing }

/** Evaluates flags by flagd's rules. Throws where they are no flags. */
export function createEvaluator(flags: Readonly<Record<string, Flag>>) {
  // Rules are interpreted: nothing that an operator writes becomes code.
  const core = new FlagdCore(undefined, silent, { disableDynamicCodeGeneration: true })
  core.setConfigurations(JSON.stringify({ flags }))

  return function resolve(key: string, by: Principal): Resolved {
    const first = Object.values(flags[key]?.variants ?? {})[0]
    const type = typeOf(first)
    const found = core.resolve<JsonValue>(type, key, null, contextOf(by), silent)
    const { variant, reason = 'ERROR', errorMessage, errorCode } = found
    return {
      value: variant === undefined ? null : found.value,
      variant: variant ?? null,
      reason,
      error: reason === 'ERROR' ? (errorMessage ?? errorCode ?? 'It could not be evaluated') : null
    }
  }
}
export type Evaluator = ReturnType<typeof createEvaluator>

export function typeOf(value: unknown): 'boolean' | 'string' | 'number' | 'object' {
  const type = typeof value
  return type === 'boolean' || type === 'string' || type === 'number' ? type : 'object'
}

/** What targeting may tell apart. `fractional` goes by `targetingKey`: a person and its agents are one. */
const contextOf = ({ id, type, owner, project, initiator }: Principal) => ({
  targetingKey: owner,
  principal: id,
  principalType: type,
  owner,
  project,
  ...(initiator !== undefined && { initiator }),
  ...(type === 'agent' && { agentId: id })
})
