import { OrNull } from 'agent-platform'
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { anything } from './chat.ts'
import { failing } from './failures.ts'
import { Metadata, Open } from './open.ts'

const maybe = <T extends TSchema>(schema: T) => Type.Optional(OrNull(schema))
const Item = Type.Record(Type.String(), Type.Unknown())

const ResponseBody = Open(
  {
    model: Type.String({
      description: 'The ID of an agent, or the name of an agent of the caller',
      examples: ['agent_01k4qz0000e0080000000000ab']
    }),
    input: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Array(Item, { maxItems: 1_000 })])),
    instructions: maybe(
      Type.String({ maxLength: 200_000, description: 'Beside those of the agent; of this response alone' })
    ),
    previous_response_id: maybe(Type.String()),
    stream: maybe(Type.Boolean()),
    background: maybe(
      Type.Boolean({ description: 'Answered at once; it goes on, and is followed by its id' })
    ),
    store: maybe(Type.Boolean({ default: true })),
    tools: maybe(Type.Array(Open({ type: Type.String() }), { maxItems: 128 })),
    tool_choice: Type.Optional(
      Type.Unknown({ description: '`auto`, `none`, `required`, a function, or `allowed_tools`' })
    ),
    parallel_tool_calls: maybe(Type.Boolean()),
    reasoning: maybe(Open({ effort: Type.Optional(Type.Unknown()) })),
    text: maybe(Open({ format: Type.Optional(Type.Unknown()) })),
    temperature: maybe(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: maybe(Type.Number({ minimum: 0, maximum: 1 })),
    max_output_tokens: maybe(Type.Integer({ minimum: 1 })),
    conversation: Type.Optional(Type.Unknown()),
    prompt: Type.Optional(Type.Unknown()),
    metadata: maybe(Metadata),
    user: maybe(Type.String({ maxLength: 512 })),
    truncation: maybe(Type.Union([Type.Literal('auto'), Type.Literal('disabled')])),
    max_tool_calls: maybe(Type.Integer({ minimum: 1 })),
    top_logprobs: maybe(Type.Integer({ minimum: 0, maximum: 20 })),
    presence_penalty: maybe(Type.Number({ minimum: -2, maximum: 2 })),
    frequency_penalty: maybe(Type.Number({ minimum: -2, maximum: 2 })),
    prompt_cache_key: maybe(Type.String({ maxLength: 512 })),
    safety_identifier: maybe(Type.String({ maxLength: 512 }))
  },
  { title: 'OpenAiResponseRequest', description: 'Further fields of OpenAI’s are accepted, and mean nothing' }
)
export type ResponseBody = Static<typeof ResponseBody>

const tags = ['openai']
const params = Type.Object({ responseId: Type.String() })
const Response = anything('OpenAiResponse', {
  id: Type.String({ examples: ['resp_01k4qz0000e0080000000000ab'] }),
  object: Type.Literal('response'),
  status: Type.String({ examples: ['completed'] })
})
const form = 'In the form of OpenAI’s API, failures as well.'

export const createResponse = {
  tags,
  summary: 'Create a response, in the form of OpenAI’s API',
  description: `The model is an agent. With \`stream\` its events follow as Server-Sent Events. ${form}`,
  body: ResponseBody,
  response: { 200: Response, 404: {}, ...failing }
}
export const readResponse = {
  tags,
  summary: 'Get a response',
  description: `With \`stream\` its events, from behind \`starting_after\`. ${form}`,
  params,
  querystring: Open({
    stream: Type.Optional(Type.Boolean()),
    starting_after: Type.Optional(Type.Integer({ minimum: -1 }))
  }),
  response: { 200: Response, ...failing }
}
export const deleteResponse = {
  tags,
  summary: 'Delete a response',
  description: `Its session goes with the last response that is kept of it. ${form}`,
  params,
  response: {
    200: anything('OpenAiDeletedResponse', { id: Type.String(), deleted: Type.Literal(true) }),
    ...failing
  }
}
export const cancelResponse = {
  tags,
  summary: 'Cancel a response',
  description: `One that has ended stays as it is. ${form}`,
  params,
  response: { 200: Response, ...failing }
}
export const listInput = {
  tags,
  summary: 'List what a response was asked with',
  description: form,
  params,
  querystring: Open({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'desc' })),
    after: Type.Optional(Type.String())
  }),
  response: {
    200: anything('OpenAiInputItems', { object: Type.Literal('list'), data: Type.Array(Type.Unknown()) }),
    ...failing
  }
}
