import { OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { params } from './apps.ts'

const level = Type.Enum(['debug', 'info', 'warn', 'error'])
const AppLogLine = Type.Object(
  {
    id: Type.String({ examples: ['app_log_01k4qz0000e0080000000000ab'] }),
    at: Time,
    level,
    kind: Type.Enum(['console', 'refusal', 'fault'], {
      description:
        'console: written by the app; refusal: the app asked for what it may not do; fault: something went wrong'
    }),
    source: Type.Enum(['page', 'function'], { description: 'Which of the app' }),
    version: Type.String({ description: 'Of the app' }),
    callerId: Type.String({ description: 'For whom the app acted' }),
    function: OrNull(Type.String()),
    method: OrNull(Type.String({ description: 'What the app asked for' })),
    code: OrNull(Type.String()),
    text: Type.String()
  },
  { title: 'AppLogLine' }
)
export type AppLogLine = Static<typeof AppLogLine>

const amount = (description: string) => Type.Number({ minimum: 0, description })
const AppUsage = Type.Object(
  {
    day: Type.String({ examples: ['2026-01-31'], description: 'Of UTC' }),
    calls: amount('Of the platform, by pages and functions'),
    functionCalls: amount('Of functions'),
    cpuMs: amount('Milliseconds of the processor that functions took'),
    characters: amount('Of JSON, into functions and out of them'),
    egressCalls: amount('Requests to other hosts'),
    egressBytes: amount('Bytes of their bodies, both ways')
  },
  { title: 'AppUsage' }
)

export const LogQuery = Type.Object({
  ...Paging,
  level: Type.Optional(
    Type.Enum(['debug', 'info', 'warn', 'error'], { description: 'This one and what is worse' })
  ),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Not before' }))
})
export type LogQuery = Static<typeof LogQuery>

const tags = ['ui-plugins']
export const listLogs = {
  tags,
  summary: 'List what an app wrote, was refused and failed at',
  params,
  querystring: LogQuery,
  response: { 200: Page(AppLogLine) }
}
export const listUsage = {
  tags,
  summary: 'List what an app used up, day by day',
  params,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(AppUsage) }
}
