import type { Static } from 'typebox'
import { Type } from 'typebox'

export const JobSettings = Type.Object({
  pollSeconds: Type.Number({
    minimum: 0.05,
    maximum: 60,
    default: 1,
    description: 'How often an instance looks for jobs that have become due, in one statement for all queues'
  }),
  lostAfterSeconds: Type.Number({
    minimum: 1,
    maximum: 3_600,
    default: 10,
    description: 'A job whose worker was not heard of for so long is taken for lost, and tried again'
  }),
  cronSeconds: Type.Integer({
    minimum: 1,
    maximum: 45,
    default: 10,
    description: 'How often schedules are looked at'
  }),
  drainSeconds: Type.Number({
    minimum: 0,
    maximum: 60,
    default: 5,
    description: 'How long jobs that run may go on when the queues are closed, before others get them'
  }),
  keepHours: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    default: 24,
    description: 'How long jobs that are over, well or not, stay in the record'
  })
})
export type JobSettings = Static<typeof JobSettings>
