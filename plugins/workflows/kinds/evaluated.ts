import { StepFailure } from '../executions/journal.ts'
import type { Kind } from './kind.ts'

/** The value of its expressions. */
export const transform: Kind = {
  isPure: true,
  begin: async ({ config }) => ({ output: config.value ?? null })
}

/** Its output is which branch it takes. */
export const condition: Kind = {
  isPure: true,
  begin: async ({ config }) => {
    if (typeof config.if !== 'boolean')
      throw new StepFailure('invalid_config', 'if must be true or false', { final: true })
    return { output: config.if }
  }
}
