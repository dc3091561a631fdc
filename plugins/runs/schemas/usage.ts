import type { Static } from 'typebox'
import { Type } from 'typebox'

const tokens = (description: string) => Type.Integer({ minimum: 0, description })

export const Usage = Type.Object(
  {
    inputTokens: tokens('Of all calls of the model'),
    cachedTokens: tokens('Of the input, those that the provider had cached'),
    cacheWriteTokens: Type.Optional(
      tokens('Of the input, those that the provider wrote to its cache, if it reports them')
    ),
    outputTokens: tokens('Of all replies'),
    estimated: Type.Optional(
      Type.Boolean({
        description:
          'True if a provider did not report all of it, and the rest was estimated from the number of characters'
      })
    )
  },
  { title: 'RunUsage', description: 'As providers reported it; estimated where they did not' }
)
export const finishReason = Type.Enum(['stop', 'length', 'content_filter', 'tool_calls', 'other'], {
  description:
    'Why the last reply of the model ended. `length`: it reached the limit of output tokens, and `content` is incomplete. `content_filter`: the provider withheld the rest. Null until the run has completed'
})
export type Usage = Static<typeof Usage>
export type FinishReason = Static<typeof finishReason>
