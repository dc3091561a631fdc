import type { Static } from 'typebox'
import { Type } from 'typebox'

export const FlagSettings = Type.Object({
  definitions: Type.String({
    env: 'FLAGS_DEFINITIONS',
    default: '{"flags":{}}',
    maxLength: 1_000_000,
    description: 'Flags of the deployment, as a flagd document in JSON'
  })
})
export type FlagSettings = Static<typeof FlagSettings>
