import { Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { intervals } from '../stores/usage.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const sum = {
  modelCalls: count('Calls of models'),
  toolCalls: count('Calls of tools that are kept as calls (`GET /v1/tools/calls`)'),
  toolErrors: count('Those of them that failed'),
  inputTokens: count('Cached ones included'),
  cachedTokens: count('Of the input, what the provider had cached'),
  outputTokens: count('Tokens of replies'),
  cost: OrNull(
    Type.String({
      description: 'In credits, a decimal; null where nothing of it has a price',
      examples: ['1.25']
    })
  ),
  unpricedModelCalls: count('Calls of models without a price: they are not in `cost`'),
  estimatedModelCalls: count('Calls whose provider did not report all tokens: the rest is estimated')
}
const UsageSum = Type.Object(sum, { title: 'UsageSum' })
const UsageItem = Type.Object(
  {
    start: OrNull(
      Type.String({ format: 'date-time', description: 'When its hour, day or month (of UTC) began' })
    ),
    agentId: OrNull(Type.String({ description: 'As the next four, null unless `groupBy` asks for it' })),
    sessionId: OrNull(Type.String()),
    modelProvider: OrNull(Type.String()),
    modelId: OrNull(Type.String()),
    toolName: OrNull(Type.String()),
    ...sum
  },
  { title: 'UsageItem' }
)
const UsageReport = Type.Object(
  {
    from: Time,
    to: Time,
    interval: Type.Enum([...intervals]),
    currency: Type.Literal('credits'),
    total: UsageSum,
    items: Type.Array(UsageItem, {
      description: 'In the order of time; what nothing was used in is left out'
    })
  },
  { title: 'UsageReport' }
)
const UsageQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Included; default: the day 30 days before `to`, from 0:00 UTC on; of a session its beginning'
    })
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Not included; default: now' })),
  interval: Type.Optional(
    Type.Enum([...intervals], { description: 'Default: `day`, of a session `all`', default: undefined })
  ),
  groupBy: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Any of `agent`, `session`, `model`, `tool`, with commas between them',
      examples: ['model']
    })
  )
})

export type UsageSum = Static<typeof UsageSum>
export type UsageItem = Static<typeof UsageItem>
export type UsageReport = Static<typeof UsageReport>
export type UsageQuery = Static<typeof UsageQuery>

const tags = ['observability']
const description =
  'Calls count when their run has ended, a moment later, in the hour of its end. `Accept: text/csv` gives the items as CSV.'
const response = {
  200: {
    content: {
      'application/json': { schema: Data(UsageReport) },
      'text/csv': {
        schema: Type.String({ description: 'A line for each item, under a line of names (RFC 4180)' })
      }
    }
  }
}
export const readAgentUsage = {
  tags,
  summary: 'Token usage and cost of an agent',
  description,
  params: Type.Object({ agentId: Type.String({ maxLength: 128 }) }),
  querystring: UsageQuery,
  response
}
export const readSessionUsage = {
  tags,
  summary: 'Token usage and cost of a session',
  description,
  params: Type.Object({ sessionId: Type.String({ maxLength: 128 }) }),
  querystring: UsageQuery,
  response
}
export const readUsage = {
  tags,
  summary: 'Token usage and cost of all that the caller reaches',
  description,
  querystring: UsageQuery,
  response
}
