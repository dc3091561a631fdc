import { Data, Name, OrNull, Replacement, Time } from 'agent-platform'
import { Type } from 'typebox'

const Fallbacks = Type.Object(
  {
    models: Type.Array(
      Type.Object({
        modelProvider: Type.String({ minLength: 1, maxLength: 100 }),
        modelId: OrNull(Name())
      }),
      { maxItems: 5, description: 'In order. Empty: no fallback' }
    ),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    updatedAt: OrNull(Time)
  },
  { title: 'ModelFallbacks' }
)

const tags = ['models']
export const readFallbacks = {
  tags,
  summary: 'Get the fallback models of the project',
  response: { 200: Data(Fallbacks) }
}
export const replaceFallbacks = {
  tags,
  summary: 'Replace the fallback models of the project',
  description:
    'Used by agents without `fallbacks` of their own if their model is rate limited, out of quota, unavailable, or silent before its first word.',
  body: Replacement(Fallbacks, ['models']),
  response: { 200: Data(Fallbacks) }
}
