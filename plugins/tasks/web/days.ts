import type { Task } from 'agent-platform-client'
import type dayjs from 'dayjs'

export type Scale = 'month' | 'week'
/** By day (`2026-01-31`), in the time zone of the browser. */
export type TasksOfDays = ReadonlyMap<string, readonly Task[]>

export const keyOf = (day: dayjs.Dayjs): string => day.format('YYYY-MM-DD')
