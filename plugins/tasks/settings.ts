import type { Static } from 'typebox'
import { Type } from 'typebox'

export const TaskSettings = Type.Object({
  scheduled: Type.Integer({
    env: 'TASKS_SCHEDULED',
    minimum: 1,
    maximum: 1_000_000,
    default: 2_000,
    description: 'Tasks of an owner that have a next time'
  })
})
export type TaskSettings = Static<typeof TaskSettings>
