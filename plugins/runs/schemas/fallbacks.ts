import { OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Model = Type.Object({
  modelProvider: OrNull(Type.String()),
  modelId: OrNull(Type.String())
})
export const fallbackFields = {
  step: Type.Integer({ description: 'Step in which the run switched to the other model' }),
  from: Model,
  to: Model,
  reason: Type.Enum(
    [
      'rate_limited',
      'quota_exhausted',
      'unavailable',
      'unreachable',
      'silent',
      'not_configured',
      'circuit_open'
    ],
    { description: 'Why the model was not used further' }
  )
}
export const Fallback = Type.Object(fallbackFields, {
  title: 'RunFallback',
  description: 'A switch to another model of the agent’s fallbacks'
})
export type Fallback = Static<typeof Fallback>
