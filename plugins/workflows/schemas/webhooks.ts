import { Data, Deleted, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const mapping = Type.Unknown({
  description:
    'Template of the execution’s input, with expressions over `body`, `headers`, `query` and `method`; null: the body is the input'
})
const event = OrNull(
  Type.Object(
    {
      event: Type.String({ description: 'Without a value a delivery begins an execution' }),
      executionId: Type.Optional(Type.String()),
      key: Type.Optional(Type.String({ description: 'That the step waits for; needed without executionId' })),
      data: Type.Optional(Type.Unknown({ description: 'Default: the body' }))
    },
    {
      title: 'WebhookEvent',
      additionalProperties: false,
      description:
        'Template of an event for an execution that waits, with the same expressions; null: every delivery begins an execution'
    }
  )
)
export const Webhook = Type.Object(
  {
    workflowId: Type.String(),
    enabled: Type.Boolean(),
    prefix: OrNull(Type.String({ description: 'The beginning of the token' })),
    signed: Type.Boolean({ description: 'Deliveries must be signed, by the rules of Standard Webhooks' }),
    mapping,
    event,
    createdAt: OrNull(Time),
    mintedAt: OrNull(Time)
  },
  { title: 'Webhook' }
)
const MintedWebhook = Type.Object(
  {
    ...Webhook.properties,
    token: Type.String({ description: 'Stands in the path of deliveries. Shown once' }),
    secret: OrNull(Type.String({ description: 'For signing, where it was asked for. Shown once' }))
  },
  { title: 'MintedWebhook' }
)
export const NewWebhook = Type.Object(
  {
    secret: Type.Optional(
      Type.Boolean({
        description:
          'true: mint one; false: deliveries need no signature; left out: as it was, at first without'
      })
    ),
    mapping: Type.Optional(mapping),
    event: Type.Optional(event)
  },
  {
    title: 'NewWebhook',
    examples: [
      { secret: true, mapping: { text: '{{ body.message }}', from: '{{ body.sender.email }}' } },
      { event: { event: '{{ body.type }}', key: '{{ body.order.id }}', data: '{{ body.order }}' } }
    ]
  }
)
export type Webhook = Static<typeof Webhook>
export type NewWebhook = Static<typeof NewWebhook>

const tags = ['workflows']
const params = Type.Object({ id: Type.String() })

export const readWebhook = {
  tags,
  summary: 'Get the webhook of a workflow',
  params,
  response: { 200: Data(Webhook) }
}
export const mintWebhook = {
  tags,
  summary: 'Mint or rotate the webhook token of a workflow',
  description: 'Enables the webhook. The token before it is refused from then on.',
  params,
  body: OrNull(NewWebhook),
  response: { 201: Data(MintedWebhook) }
}
export const disableWebhook = {
  tags,
  summary: 'Disable the webhook of a workflow',
  params,
  response: { 200: Deleted }
}
export const deliver = {
  tags,
  summary: 'Execute a workflow by its webhook, or send an event to an execution',
  description:
    'What the webhook makes an event of goes to the execution that waits for it; all else begins one. Takes JSON, a form or text, of 1 MiB at most. A delivery that is repeated under the same `webhook-id`, `idempotency-key` or `x-github-delivery` within a day begins nothing anew, and is taken once.',
  params: Type.Object({ token: Type.String({ description: 'The credential' }) }),
  querystring: Type.Object({}, { additionalProperties: true }),
  response: {
    202: Data(
      Type.Object(
        {
          executionId: OrNull(
            Type.String({ description: 'Null while an event is kept for the first that waits for its key' })
          ),
          eventId: Type.Optional(Type.String({ description: 'Where it was an event of an execution' }))
        },
        { title: 'WebhookAccepted' }
      )
    )
  }
}
