import type { Static } from 'typebox'
import { Type } from 'typebox'

const ToolChoice = Type.Union(
  [
    Type.Enum(['auto', 'required', 'none']),
    Type.Object({ tool: Type.String({ minLength: 1, maxLength: 64 }) })
  ],
  { description: '`required` and a name apply until a tool is called; after that `auto` applies' }
)
const ResponseFormat = Type.Object({
  type: Type.Enum(['text', 'json']),
  schema: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the answer, an object' })
  )
})

export const RunOptions = Type.Partial(
  Type.Object({
    temperature: Type.Number({ minimum: 0, maximum: 2 }),
    maxTokens: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Maximum number of output tokens per reply. The limit of the agent also applies'
    }),
    topP: Type.Number({ minimum: 0, maximum: 1 }),
    stop: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 4 }),
    seed: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    reasoning: Type.Enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
    reasoningTokens: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    toolChoice: ToolChoice,
    parallelToolCalls: Type.Boolean(),
    responseFormat: ResponseFormat,
    maxSteps: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of steps. The limit of the agent also applies'
    }),
    maxSeconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'Maximum duration in seconds. The limit of the agent also applies'
    }),
    providerOptions: Type.Record(
      Type.String({ maxLength: 100 }),
      Type.Record(Type.String({ maxLength: 100 }), Type.Unknown()),
      { maxProperties: 20, description: 'By `modelProvider`, at most 16,384 characters of JSON' }
    )
  }),
  {
    title: 'RunOptions',
    additionalProperties: false,
    description:
      'Options of this run instead of those of its agent. 403 `option_not_allowed` for one that the agent does not let callers set'
  }
)
export type RunOptions = Static<typeof RunOptions>
