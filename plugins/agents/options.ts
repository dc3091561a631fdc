import { Name, OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** Options of a run that a caller can set, unless the agent forbids it. */
const CallerOption = Type.Enum([
  'temperature',
  'maxTokens',
  'topP',
  'stop',
  'seed',
  'reasoning',
  'reasoningTokens',
  'toolChoice',
  'parallelToolCalls',
  'responseFormat',
  'maxSteps',
  'maxSeconds',
  'providerOptions'
])

const fields = {
  topP: Type.Number({ minimum: 0, maximum: 1, description: 'Nucleus sampling: share of the probability' }),
  stop: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 4,
    description: 'Strings that end a reply. The reply does not contain them'
  }),
  seed: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'Seed for sampling. Ignored by models without one'
  }),
  reasoning: Type.Enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'], {
    description: 'Reasoning effort. Default: that of the model'
  }),
  reasoningTokens: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'Maximum number of reasoning tokens per reply. Takes precedence over `reasoning`'
  }),
  toolChoice: Type.Union(
    [
      Type.Enum(['auto', 'required', 'none']),
      Type.Object({ tool: Type.String({ minLength: 1, maxLength: 64 }) })
    ],
    {
      description:
        'Whether the model calls tools: `auto`, `required`, `none`, or `{"tool": "<name>"}`. `required` and a name apply until a tool is called; after that `auto` applies'
    }
  ),
  parallelToolCalls: Type.Boolean({ description: 'Whether one reply can contain several tool calls' }),
  responseFormat: Type.Object(
    {
      type: Type.Enum(['text', 'json']),
      schema: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the answer, an object' })
      )
    },
    {
      description:
        'Format of the answer. A JSON answer that does not match is requested once more; after that the run fails with `response_format_mismatch`'
    }
  ),
  maxSteps: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Maximum number of steps per run. RUN_MAX_STEPS also applies'
  }),
  maxSeconds: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'Maximum duration of a run in seconds. RUN_SECONDS also applies'
  }),
  providerOptions: Type.Record(
    Type.String({ maxLength: 100 }),
    Type.Record(Type.String({ maxLength: 100 }), Type.Unknown()),
    {
      maxProperties: 20,
      description:
        'Further options by `modelProvider`, at most 16,384 characters of JSON. Readable by everyone who can read the agent: not for secrets'
    }
  )
}

const ModelChoice = Type.Object({
  modelProvider: Type.String({ minLength: 1, maxLength: 100 }),
  modelId: OrNull(Name())
})

export const AgentOptions = Type.Object(
  {
    fallbacks: Type.Optional(
      Type.Array(ModelChoice, {
        maxItems: 5,
        description:
          'Models in order, used if the model of the agent is rate limited, out of quota, unavailable, or silent before its first word'
      })
    ),
    ...Type.Partial(Type.Object(fields)).properties,
    callerOptions: Type.Optional(
      Type.Array(CallerOption, {
        maxItems: 20,
        description: 'Options that callers can set for a run. Default: all except `providerOptions`'
      })
    )
  },
  { title: 'AgentOptions', additionalProperties: false }
)
export type AgentOptions = Static<typeof AgentOptions>
