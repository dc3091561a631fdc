import { Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const thumb = Type.Enum(['up', 'down'])
const comment = OrNull(Type.String({ maxLength: 2_000, pattern: '^[^\\u0000]*$' }))
const Feedback = Type.Object(
  {
    id: Type.String({ examples: ['feedback_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    runId: Type.String(),
    sessionId: Type.String(),
    agentId: Type.String(),
    thumb,
    comment,
    datasetId: OrNull(Type.String({ description: 'The dataset that has an item of it' })),
    itemId: OrNull(Type.String()),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'RunFeedback' }
)
const NewFeedback = Type.Object(
  {
    thumb,
    comment: Type.Optional(comment),
    datasetId: Type.Optional(
      OrNull(
        Type.String({
          description:
            'An item of this dataset is made of the run: what was asked, and with `up` the answer as its expected outcome'
        })
      )
    )
  },
  { title: 'NewRunFeedback', additionalProperties: false, examples: [{ thumb: 'up' }] }
)
const FeedbackQuery = Type.Object({
  ...Paging,
  agentId: Type.Optional(Type.String({ description: 'Only about this agent' })),
  runId: Type.Optional(Type.String({ description: 'Only about this run' })),
  thumb: Type.Optional(thumb)
})
export const feedbacks = table('evaluations.feedback', Feedback, { what: 'Feedback' })

export type FeedbackRow = NonNullable<Awaited<ReturnType<typeof feedbacks.find>>>
export type NewFeedback = Static<typeof NewFeedback>
export type FeedbackQuery = Static<typeof FeedbackQuery>

const tags = ['evaluations']
const params = Type.Object({ runId: Type.String() })

export const giveFeedback = {
  tags,
  summary: 'Submit feedback on a run',
  description:
    'By the owner of a run that is over, in place of what was said before. 409 `run_under_way` while it is not; 409 `dataset_full`.',
  params,
  body: NewFeedback,
  response: { 200: Data(Feedback) }
}
export const readFeedback = {
  tags,
  summary: 'Get the feedback about a run',
  params,
  response: { 200: Data(Feedback) }
}
export const deleteFeedback = {
  tags,
  summary: 'Take feedback back',
  description: 'Items that were made of it stay.',
  params,
  response: { 200: Deleted }
}
export const listFeedback = {
  tags,
  summary: 'List feedback about runs',
  querystring: FeedbackQuery,
  response: { 200: Page(Feedback), 404: {} }
}
