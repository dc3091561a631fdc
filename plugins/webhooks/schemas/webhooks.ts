import { Changes, Closed, Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const url = Type.String({ minLength: 1, maxLength: 2_000, examples: ['https://example.com/hooks'] })
const types = Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['runs.completed'] }), {
  minItems: 1,
  maxItems: 50,
  description: 'Names of events, `runs.*` for all of an area, or `*`'
})
const description = OrNull(Type.String({ maxLength: 500 }))
const active = Type.Boolean({ description: 'Nothing is sent while it is not' })

export const Webhook = Type.Object(
  {
    id: Type.String({ examples: ['webhook_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    url,
    types,
    description,
    active,
    scope: Type.Union([Type.Literal('owner'), Type.Literal('project')], {
      description: '`project`, of a service: it is told of what all of its project do'
    }),
    failingSince: OrNull({ ...Time, description: 'Nothing was delivered since then' }),
    disabledAt: OrNull({ ...Time, description: 'The platform switched it off then, as it kept failing' }),
    previousSecretUntil: OrNull({
      ...Time,
      description: 'Until then messages are signed by the secret before as well'
    }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'OutgoingWebhook' }
)
const NewWebhook = Closed({
  url,
  types,
  description: Type.Optional(description),
  active: Type.Optional({ ...active, default: true })
})
const WebhookChanges = Changes(Webhook, ['url', 'types', 'description', 'active'])
const WithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({ description: 'Shown here alone', examples: ['whsec_…'] })
  },
  { title: 'OutgoingWebhookWithSecret' }
)
const Rotation = Type.Union([
  Type.Null(),
  Closed({
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 720,
        description: 'Hours that the secret before is good for as well'
      })
    )
  })
])
const EventType = Type.Object(
  {
    type: Type.String(),
    summary: Type.String(),
    schema: Type.Unknown({ description: 'JSON Schema of `data`' })
  },
  { title: 'WebhookEventType' }
)

export interface Secrets {
  readonly secret: string
  readonly previousSecret: string | null
}
export const webhooks = table('webhooks.webhook', Webhook, { what: 'Webhook' })

export type Webhook = Static<typeof Webhook>
export type NewWebhook = Static<typeof NewWebhook>
export type WebhookChanges = Static<typeof WebhookChanges>

const tags = ['webhooks']
const params = Type.Object({ webhookId: Type.String() })

export const createWebhook = {
  tags,
  summary: 'Create a webhook',
  description:
    'Messages are signed as Standard Webhooks has it, by a secret that stands in this reply alone.',
  body: NewWebhook,
  response: { 201: Data(WithSecret) }
}
export const listWebhooks = {
  tags,
  summary: 'List webhooks',
  querystring: Type.Object(Paging),
  response: { 200: Page(Webhook) }
}
export const readWebhook = { tags, summary: 'Get a webhook', params, response: { 200: Data(Webhook) } }
export const updateWebhook = {
  tags,
  summary: 'Update a webhook',
  description: 'One that was switched off as it kept failing begins anew when it is made active.',
  params,
  body: WebhookChanges,
  response: { 200: Data(Webhook) }
}
export const deleteWebhook = {
  tags,
  summary: 'Delete a webhook',
  description: 'Its deliveries go with it.',
  params,
  response: { 200: Deleted }
}
export const rotateSecret = {
  tags,
  summary: 'Give a webhook another secret',
  params,
  body: Rotation,
  response: { 200: Data(WithSecret) }
}
export const listEventTypes = {
  tags,
  summary: 'List what webhooks can be told of',
  querystring: Type.Object(Paging),
  response: { 200: Page(EventType) }
}
