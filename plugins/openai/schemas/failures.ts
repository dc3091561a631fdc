import { OrNull } from 'agent-platform'
import { Type } from 'typebox'

const open = { additionalProperties: true }
const Failure = Type.Object(
  {
    error: Type.Object(
      {
        message: Type.String(),
        type: Type.String({ examples: ['invalid_request_error'] }),
        param: Type.Optional(OrNull(Type.String({ examples: ['messages[0].content'] }))),
        code: Type.Optional(OrNull(Type.String()))
      },
      open
    )
  },
  { ...open, title: 'OpenAiFailure' }
)

/** What each route answers where it fails, whatever the status. */
export const failing = {
  default: {
    description: 'A failure, in the form of OpenAI’s API',
    content: { 'application/json': { schema: Failure } }
  }
}
