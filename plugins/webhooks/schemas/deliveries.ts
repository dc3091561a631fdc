import { Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Status = Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')])
const Attempt = Type.Object(
  {
    at: Time,
    milliseconds: Type.Integer(),
    status: OrNull(Type.Integer({ description: 'Of the reply; null where none came' })),
    error: OrNull(Type.String()),
    reply: OrNull(Type.String({ description: 'The beginning of the reply' }))
  },
  { title: 'DeliveryAttempt' }
)
export const Delivery = Type.Object(
  {
    id: Type.String({ examples: ['delivery_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    webhookId: Type.String(),
    messageId: Type.String({
      description: '`webhook-id` of each attempt: the same for one event',
      examples: ['event_…']
    }),
    type: Type.String({ examples: ['runs.completed'] }),
    status: Status,
    attempts: Type.Integer(),
    nextAt: OrNull({ ...Time, description: 'When it is tried next' }),
    deliveredAt: OrNull(Time),
    lastStatus: OrNull(Type.Integer()),
    lastError: OrNull(Type.String()),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'WebhookDelivery' }
)
const FullDelivery = Type.Object(
  {
    ...Delivery.properties,
    payload: Type.Unknown({ description: 'What is sent' }),
    tried: Type.Array(Attempt, { description: 'The latest 50, the newest first' })
  },
  { title: 'FullWebhookDelivery' }
)
const DeliveryQuery = Type.Object({
  ...Paging,
  status: Type.Optional(Status),
  type: Type.Optional(Type.String())
})

export type Delivery = Static<typeof Delivery>
export type FullDelivery = Static<typeof FullDelivery>
export type Attempt = Static<typeof Attempt>
export type DeliveryQuery = Static<typeof DeliveryQuery>

const tags = ['webhooks']
const ofWebhook = Type.Object({ webhookId: Type.String() })
const params = Type.Object({ webhookId: Type.String(), deliveryId: Type.String() })

export const testWebhook = {
  tags,
  summary: 'Send a test message to a webhook',
  description: 'Of the type `webhooks.ping`, also while it is not active. Answers when it was tried once.',
  params: ofWebhook,
  response: { 200: Data(FullDelivery) }
}
export const listDeliveries = {
  tags,
  summary: 'List deliveries of a webhook',
  params: ofWebhook,
  querystring: DeliveryQuery,
  response: { 200: Page(Delivery) }
}
export const readDelivery = {
  tags,
  summary: 'Get a delivery with its attempts',
  params,
  response: { 200: Data(FullDelivery) }
}
export const replayDelivery = {
  tags,
  summary: 'Send a message once more',
  description: 'With the same `webhook-id`, whatever became of it before.',
  params,
  response: { 200: Data(Delivery) }
}
