import { OrNull } from 'agent-platform'
import type { Static, TProperties } from 'typebox'
import { Type } from 'typebox'
import { fallbackFields } from './fallbacks.ts'

const Text = Type.String()
const seq = Type.Integer({ minimum: 0, description: 'Counts the events of the run, without gaps' })
const at = Type.String({ format: 'date-time', description: 'When it came about; of text its first piece' })

export const retryAt = Type.String({
  format: 'date-time',
  description: 'When the model provider accepts requests again, if it said so'
})

const event = <T extends string, F extends TProperties>(type: T, fields: F, description: string) =>
  Type.Object({ type: Type.Literal(type), runId: Type.String(), seq, at, ...fields }, { description })

const requestFields = ({ properties: { for: _, ...fields } }: { properties: TProperties }) => fields

export const Citation = Type.Object(
  {
    n: Type.Integer({ description: 'As the answer has it: `[n]`' }),
    spaceId: OrNull(Type.String()),
    documentId: OrNull(Type.String({ description: 'Null where it is of no document that is kept here' })),
    version: OrNull(Type.Integer({ description: 'The version of the document that was read' })),
    start: Type.Integer({ description: 'In the text of that version, in UTF-16 code units' }),
    end: Type.Integer({ description: 'Behind its last code unit' }),
    page: OrNull(
      Type.Integer({ description: 'That it stands on, from 1; null where the format has no pages' })
    ),
    title: Type.String(),
    url: OrNull(Type.String())
  },
  { title: 'Citation', description: 'A passage that the answer stands on' }
)
export type Citation = Static<typeof Citation>

/** What a stream of a run says, in the words of the OpenAPI document: nothing is checked against it while it is sent. */
export const runEvent = (
  Usage: TProperties[string],
  Pending: { properties: TProperties },
  finishReason: TProperties[string]
) =>
  Type.Union(
    [
      event('run_started', { sessionId: Text }, 'The run is accepted'),
      event('agent_step', { step: Type.Integer(), attempt: Type.Integer() }, 'The model is asked'),
      event(
        'model_fallback',
        fallbackFields,
        'A model is limited, unavailable or silent: the run continues with another one'
      ),
      event(
        'token',
        {
          content: Text,
          phase: Type.Union([Type.Literal('commentary'), Type.Literal('final_answer')])
        },
        'A piece of text'
      ),
      event('toolStart', { callId: Text, toolName: Text, args: Type.Unknown() }, 'A call of a tool begins'),
      event('toolProgress', { callId: Text, output: Text }, 'What a tool says on the way'),
      event(
        'toolEnd',
        { callId: Text, toolName: Text, output: Type.Unknown(), isError: Type.Boolean() },
        'A call has ended'
      ),
      event(
        'status',
        {
          status: Type.String({
            examples: ['queued', 'running', 'waiting', 'resumed', 'restarted', 'commentary']
          }),
          step: Type.Optional(Type.Integer()),
          attempt: Type.Optional(Type.Integer()),
          supersedes: Type.Optional(
            Type.Object(
              { from: Type.Integer(), to: Type.Integer() },
              { description: 'The `seq` of the first and last event whose text no longer counts' }
            )
          ),
          covers: Type.Optional(
            Type.Object(
              { from: Type.Integer(), to: Type.Integer() },
              {
                description:
                  'Of `commentary`: the `seq` of the first and last event whose text was said before calls of tools, and so is no answer'
              }
            )
          )
        },
        'The run is at another stage, or goes on in another process'
      ),
      event(
        'context_compacted',
        {
          step: Type.Integer(),
          results: Type.Integer({ description: 'Number of tool results that became references' }),
          messages: Type.Integer({ description: 'Number of messages that a summary replaces in prompts' }),
          tokensBefore: Type.Integer({ description: 'Estimated tokens of the prompt before' }),
          tokensAfter: Type.Integer()
        },
        'The prompt was shortened to fit into the context window of the model'
      ),
      event(
        'loop_detected',
        {
          step: Type.Integer(),
          callId: Text,
          toolName: Text,
          failures: Type.Integer({
            description: 'Number of failures in a row of this call with the same arguments'
          })
        },
        'The model repeats a call that fails, and is told so'
      ),
      event(
        'cli_tool_request',
        requestFields(Pending),
        'A call that the caller must answer by `POST /v1/agents/cli-tool-result`'
      ),
      event(
        'approval_request',
        requestFields(Pending),
        'The call has to be approved by `POST /v1/agents/runs/:runId/approvals/:callId`'
      ),
      event(
        'elicitation_request',
        {
          elicitationId: Text,
          callId: Text,
          message: Text,
          schema: Type.Unknown({ description: 'JSON Schema of the content wanted' }),
          deadline: Text
        },
        'A tool asks; answered by `POST /v1/agents/runs/:runId/elicitations/:elicitationId`'
      ),
      event(
        'final',
        {
          sessionId: Text,
          content: Text,
          finishReason: Type.Optional(finishReason),
          usage: Usage,
          citations: Type.Optional(Type.Array(Citation, { description: 'Left out where nothing is cited' }))
        },
        'The run has completed'
      ),
      event('error', { message: Text, code: Text, retryAt: Type.Optional(retryAt) }, 'The run has failed'),
      event('cancelled', {}, 'The run was cancelled')
    ],
    {
      title: 'RunEvent',
      description:
        'Further types may come: ignore those that you do not know. `keepalive` repeats the last `seq`.'
    }
  )
