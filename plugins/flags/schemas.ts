import { Closed, Data, Deleted, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Value = Type.Unknown({ description: 'A boolean, a string, a number or an object, as its variants are' })
const Metadata = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))
const source = Type.Enum(['deployment', 'platform'], {
  description: 'Of the setting `definitions`, or set by an operator, which comes first'
})
const key = Type.String({ examples: ['new-editor'] })

export const Evaluation = Type.Object(
  {
    key,
    value: OrNull(Value),
    variant: OrNull(Type.String({ description: 'Null where the flag has no value for the caller' })),
    reason: Type.String({
      description: '`STATIC`, `TARGETING_MATCH`, `DEFAULT`, `DISABLED` or `ERROR`',
      examples: ['TARGETING_MATCH']
    }),
    error: OrNull(Type.String({ description: 'What went wrong, with the reason `ERROR`' })),
    source,
    metadata: Metadata
  },
  { title: 'FlagEvaluation' }
)
const state = Type.Enum(['ENABLED', 'DISABLED'])
const variants = Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.Unknown(), {
  minProperties: 1,
  maxProperties: 100,
  description: 'Values by name, all of one type',
  examples: [{ on: true, off: false }]
})
const defaultVariant = OrNull(
  Type.String({ description: 'Where the targeting says nothing; null: the default of the code that asks' })
)
const targeting = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'JsonLogic with the operations of flagd (`fractional`, `sem_ver`, `starts_with`, `ends_with`), of `targetingKey`, `principal`, `principalType`, `owner`, `initiator`, `agentId` and `project`'
})
export const Definition = Type.Object(
  {
    key,
    state,
    variants,
    defaultVariant,
    targeting,
    metadata: Metadata,
    source,
    version: Type.Integer({ description: 'Of one of the deployment 0' }),
    updatedBy: OrNull(Type.String()),
    updatedAt: OrNull(Time)
  },
  { title: 'FlagDefinition' }
)
const dropped = Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored' }))
const DefinitionReplacement = Type.Object(
  {
    state,
    variants,
    defaultVariant: Type.Optional(defaultVariant),
    targeting: Type.Optional(targeting),
    metadata: Type.Optional(Metadata),
    ...{ key: dropped, source: dropped, version: dropped, updatedBy: dropped, updatedAt: dropped }
  },
  {
    title: 'FlagDefinitionReplacement',
    additionalProperties: false,
    description: 'A flag as the JSON Schema of flagd has it'
  }
)

export type Evaluation = Static<typeof Evaluation>
export type Definition = Static<typeof Definition>
export type DefinitionReplacement = Static<typeof DefinitionReplacement>

const tags = ['flags']
const params = Closed({
  key: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$', maxLength: 128 })
})
const anyKey = Type.Object({ key: Type.String({ maxLength: 128 }) })

export const listFlags = {
  tags,
  summary: 'Feature flags for the caller',
  description: 'Each with its value, variant and reason, in the order of their keys.',
  querystring: Type.Object(Paging),
  response: { 200: Page(Evaluation) }
}
export const evaluateFlag = {
  tags,
  summary: 'Evaluate one flag',
  params: anyKey,
  response: { 200: Data(Evaluation) }
}
export const readDefinition = {
  tags,
  summary: 'Get the definition of a flag (admin)',
  params: anyKey,
  response: { 200: Data(Definition) }
}
export const setFlag = {
  tags,
  summary: 'Set a flag (admin)',
  description: 'Replaces the definition, for all projects and on all instances at once.',
  params,
  body: DefinitionReplacement,
  response: { 200: Data(Definition), 201: Data(Definition) }
}
export const removeFlag = {
  tags,
  summary: 'Delete a flag (admin)',
  description: 'One of the deployment is as that has it from then on.',
  params: anyKey,
  response: { 200: Deleted }
}
