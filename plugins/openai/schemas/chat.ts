import { OrNull } from 'agent-platform'
import type { Static, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { failing } from './failures.ts'
import { Metadata, Open } from './open.ts'

const maybe = <T extends TSchema>(schema: T) => Type.Optional(OrNull(schema))

const Content = Type.Union([Type.String(), Type.Null(), Type.Array(Open({ type: Type.String() }))])
const ToolCall = Open({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  function: Open({ name: Type.String({ minLength: 1, maxLength: 200 }), arguments: Type.String() })
})
const Message = Open(
  {
    role: Type.Union(
      (['system', 'developer', 'user', 'assistant', 'tool'] as const).map((role) => Type.Literal(role))
    ),
    content: Type.Optional(Content),
    tool_calls: Type.Optional(Type.Array(ToolCall, { maxItems: 128 })),
    tool_call_id: Type.Optional(Type.String())
  },
  { title: 'OpenAiChatMessage' }
)
const ChatBody = Open(
  {
    model: Type.String({
      description: 'The ID of an agent, or the name of an agent of the caller',
      examples: ['agent_01k4qz0000e0080000000000ab']
    }),
    messages: Type.Array(Message, { minItems: 1, maxItems: 1_000, description: 'All that the model sees' }),
    stream: maybe(Type.Boolean()),
    stream_options: maybe(Open({ include_usage: Type.Optional(Type.Boolean()) })),
    tools: maybe(Type.Array(Open({ type: Type.String() }), { maxItems: 128 })),
    tool_choice: Type.Optional(
      Type.Unknown({ description: '`auto`, `none`, `required`, a function, or `allowed_tools`' })
    ),
    parallel_tool_calls: maybe(Type.Boolean()),
    response_format: Type.Optional(Type.Unknown()),
    temperature: maybe(Type.Number({ minimum: 0, maximum: 2 })),
    max_completion_tokens: maybe(Type.Integer({ minimum: 1 })),
    max_tokens: maybe(Type.Integer({ minimum: 1 })),
    n: maybe(Type.Integer({ minimum: 1 })),
    logprobs: maybe(Type.Boolean()),
    modalities: maybe(Type.Array(Type.String())),
    top_p: maybe(Type.Number({ minimum: 0, maximum: 1 })),
    seed: maybe(Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })),
    reasoning_effort: Type.Optional(Type.Unknown({ description: 'Reasoning effort' })),
    include_reasoning: maybe(
      Type.Boolean({ description: 'Reasoning is returned as `reasoning_content`. Default: false' })
    ),
    stop: Type.Optional(Type.Unknown({ description: 'A string, or an array of at most 4 strings' })),
    functions: Type.Optional(Type.Unknown({ description: 'Not supported: 400' })),
    function_call: Type.Optional(Type.Unknown({ description: 'Not supported: 400' })),
    store: maybe(Type.Boolean({ description: 'The session stays; left out: for `keepHours`' })),
    metadata: maybe(Metadata),
    user: maybe(Type.String({ maxLength: 512 }))
  },
  { title: 'OpenAiChatRequest', description: 'Further fields of OpenAI’s are accepted, and mean nothing' }
)
export type ChatBody = Static<typeof ChatBody>

const tags = ['openai']
export const anything = (title: string, properties: TProperties) => Open(properties, { title })

export const createCompletion = {
  tags,
  summary: 'Create a chat completion, in the form of OpenAI’s API',
  description:
    'The model is an agent. With `stream` chunks follow as Server-Sent Events, the last one `[DONE]`. Failures are in OpenAI’s form.',
  body: ChatBody,
  response: {
    200: anything('OpenAiChatCompletion', {
      id: Type.String({ examples: ['chatcmpl_01k4qz0000e0080000000000ab'] }),
      object: Type.Literal('chat.completion')
    }),
    404: {},
    ...failing
  }
}
