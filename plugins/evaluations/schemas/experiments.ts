import { Data, Deleted, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Failure, share, Usage } from './results.ts'
import { Scorer } from './scorers.ts'

const whole = (description: string) => Type.Integer({ description })
export const Summary = Type.Object(
  {
    completed: whole('Items that were answered and scored'),
    failed: whole('Items without an answer: their run failed or would have waited for someone'),
    passed: whole('Items that passed each scorer'),
    passRate: share('Of those that were scored'),
    score: share('Mean over all scored items'),
    scorers: Type.Array(
      Type.Object({
        scorer: Type.String(),
        score: share('Mean'),
        passRate: share('Of those that it scored'),
        scored: whole('Items that it scored')
      })
    ),
    usage: Usage,
    cost: OrNull(Type.String({ description: 'Of the runs, in credits; null: none of it has a price' })),
    latency: Type.Object(
      { mean: share('Mean'), p50: share('Median'), p95: share('95th percentile') },
      { description: 'Of the runs, in milliseconds' }
    )
  },
  { title: 'ExperimentSummary' }
)

const model = OrNull(
  Type.Object(
    { modelProvider: Type.String({ maxLength: 100 }), modelId: OrNull(Type.String({ maxLength: 200 })) },
    { additionalProperties: false, description: 'Instead of the agent’s; null: that' }
  )
)
const instructions = OrNull(
  Type.String({ minLength: 1, maxLength: 32_000, description: 'Behind those of the agent, for these runs' })
)
const concurrency = Type.Integer({ minimum: 1, maximum: 10, description: 'Items that are run at a time' })
const scorers = Type.Array(Scorer, { minItems: 1, maxItems: 10 })
const status = Type.Enum(['running', 'completed', 'failed', 'cancelled'])

export const Experiment = Type.Object(
  {
    id: Type.String({ examples: ['experiment_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name(),
    datasetId: Type.String(),
    agentId: Type.String(),
    agentVersion: whole('The version of the agent that all items are run with'),
    model,
    instructions,
    scorers,
    concurrency,
    status,
    itemCount: whole('Items that it has'),
    endedCount: whole('Items that are over'),
    error: OrNull(Failure),
    summary: OrNull(Summary),
    createdAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'Experiment' }
)
const NewExperiment = Type.Object(
  {
    name: Type.Optional(Name({ description: 'Default: of the dataset and the agent' })),
    datasetId: Type.String(),
    agentId: Type.String(),
    version: Type.Optional(whole('Of the agent; 409 `agent_changed` where it is another one by now')),
    model: Type.Optional(model),
    instructions: Type.Optional(instructions),
    scorers,
    concurrency: Type.Optional({ ...concurrency, default: 3 })
  },
  {
    title: 'NewExperiment',
    additionalProperties: false,
    examples: [
      {
        datasetId: 'dataset_01k4qz0000e0080000000000ab',
        agentId: 'agent_01k4qz0000e0080000000000ab',
        scorers: [{ type: 'contains' }, { type: 'judge', rubric: 'It is friendly, and answers the question' }]
      }
    ]
  }
)
export const experiments = table('evaluations.experiment', Experiment)

export type Summary = Static<typeof Summary>
export type Experiment = Static<typeof Experiment>
export type ExperimentRow = NonNullable<Awaited<ReturnType<typeof experiments.find>>>
export type NewExperiment = Static<typeof NewExperiment>

const ExperimentQuery = Type.Object({
  ...Paging,
  datasetId: Type.Optional(Type.String({ description: 'Only those of this dataset' })),
  agentId: Type.Optional(Type.String({ description: 'Only those of this agent' })),
  status: Type.Optional(status)
})
export type ExperimentQuery = Static<typeof ExperimentQuery>

const event = <T extends string>(type: T, fields: object) =>
  Type.Object({ type: Type.Literal(type), experimentId: Type.String(), seq: Type.Integer(), ...fields })
const ExperimentEvent = Type.Union(
  [
    event('status', { status: Type.Literal('running'), itemCount: Type.Integer() }),
    event('result', {
      resultId: Type.String(),
      itemId: Type.String(),
      status: Type.Enum(['completed', 'failed']),
      score: share('Mean of the scores'),
      passed: OrNull(Type.Boolean()),
      endedCount: Type.Integer()
    }),
    event('completed', { summary: Summary }),
    event('failed', { error: Failure, summary: Summary }),
    event('cancelled', { summary: Summary }),
    event('keepalive', {})
  ],
  { title: 'ExperimentEvent' }
)

const tags = ['evaluations']
const params = Type.Object({ experimentId: Type.String() })

export const createExperiment = {
  tags,
  summary: 'Create an experiment',
  description:
    'It begins at once, with the items that the dataset has now. 429 `too_many_running` while the owner has too many under way.',
  body: NewExperiment,
  response: { 201: Data(Experiment) }
}
export const listExperiments = {
  tags,
  summary: 'List experiments',
  querystring: ExperimentQuery,
  response: { 200: Page(Experiment), 404: {} }
}
export const readExperiment = {
  tags,
  summary: 'Get an experiment',
  description: 'With its summary, also while it is under way.',
  params,
  response: { 200: Data(Experiment) }
}
export const deleteExperiment = {
  tags,
  summary: 'Delete an experiment',
  description: 'Its results and the sessions of its runs go with it. 409 while it is under way.',
  params,
  response: { 200: Deleted }
}
export const cancelExperiment = {
  tags,
  summary: 'Cancel an experiment',
  description:
    'What is under way is stopped, and what has ended stays. 409 `already_ended` where it is over.',
  params,
  response: { 200: Data(Experiment) }
}
export const followExperiment = {
  tags,
  summary: 'Follow an experiment',
  description: 'Ends with `completed`, `failed` or `cancelled`.',
  params,
  querystring: Type.Object({
    after: Type.Optional(
      Type.Integer({ minimum: -1, maximum: 999_999_999, description: '`seq` of the last event received' })
    )
  }),
  response: {
    200: {
      description: 'Server-Sent Events, each a `data: <JSON>` frame',
      content: { 'text/event-stream': { schema: ExperimentEvent } }
    }
  }
}
