import type { TProperties } from 'typebox'
import { Type } from 'typebox'

const Text = Type.String()
const seq = Type.Integer({ minimum: 0, description: 'Counts the events of the execution, without gaps' })
const at = Type.String({ format: 'date-time', description: 'When it came about; of text its first piece' })

const event = <T extends string, F extends TProperties>(type: T, fields: F, description: string) =>
  Type.Object({ type: Type.Literal(type), executionId: Text, seq, at, ...fields }, { description })

const request = { stepId: Text, path: Text, deadline: Text }

/** What a stream of an execution says, in the words of the OpenAPI document: nothing is checked against it while it is sent. */
export const ExecutionEvent = Type.Union(
  [
    event(
      'status',
      {
        status: Type.String({ examples: ['queued', 'running', 'waiting', 'resumed', 'compensating'] }),
        attempt: Type.Optional(Type.Integer())
      },
      'The execution is at another stage, or goes on in another process'
    ),
    event(
      'step',
      {
        stepId: Text,
        path: Text,
        status: Type.String({
          examples: ['running', 'waiting', 'completed', 'failed', 'skipped', 'cancelled']
        }),
        attempt: Type.Integer(),
        error: Type.Optional(Type.Object({ code: Text, message: Text }))
      },
      'The journal has this of a step from now on'
    ),
    event(
      'approval_request',
      {
        ...request,
        message: Type.Unknown(),
        form: Type.Unknown({ description: 'JSON Schema of `data`, or null' })
      },
      'The step has to be approved by `POST …/approve`'
    ),
    event(
      'event_request',
      { ...request, event: Text, key: Type.Union([Text, Type.Null()]) },
      'The step waits for an event, sent by `POST …/events` or by the webhook'
    ),
    event('completed', { output: Type.Unknown() }, 'The execution has completed'),
    event('failed', { code: Text, message: Text }, 'The execution has failed'),
    event('cancelled', {}, 'The execution was cancelled')
  ],
  {
    title: 'ExecutionEvent',
    description:
      'Further types may come: ignore those that you do not know. `keepalive` repeats the last `seq`.'
  }
)
