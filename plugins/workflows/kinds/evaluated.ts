import type { Kind } from './kind.ts'

/** The value of its expressions. */
export const transform: Kind = {
  isPure: true,
  begin: async ({ config }) => ({ output: config.value })
}

/** Its output is which branch it takes. */
export const condition: Kind = {
  isPure: true,
  begin: async ({ config }) => ({ output: config.if })
}
