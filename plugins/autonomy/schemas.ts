import { Changes, Data, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { RunOrder } from '../runs/contract.ts'

const hour = '(?:[01]\\d|2[0-3]):[0-5]\\d'
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

const ActiveHours = Type.Object(
  {
    from: Type.String({ pattern: `^${hour}$`, examples: ['08:00'] }),
    to: Type.String({
      pattern: `^(?:${hour}|24:00)$`,
      examples: ['22:00'],
      description: 'Not included; earlier than `from`: of the next day'
    }),
    days: Type.Optional(
      OrNull(
        Type.Array(Type.Enum([...weekdays]), {
          minItems: 1,
          uniqueItems: true,
          description: 'On which it begins; null: each'
        })
      )
    )
  },
  { title: 'ActiveHours' }
)
export const settings = {
  enabled: Type.Boolean(),
  intervalMinutes: OrNull(
    Type.Integer({ minimum: 1, maximum: 10_080, description: 'Minutes from one beat to the next' })
  ),
  cronExpression: OrNull(
    Type.String({
      maxLength: 200,
      description: 'Five fields, or a nickname such as `@daily`; replaces the interval',
      examples: ['0 9 * * 1-5']
    })
  ),
  timezone: Type.String({
    maxLength: 100,
    description:
      'An IANA time zone, such as `Europe/Berlin`: of the cron expression, the active hours, and the days of the caps'
  }),
  activeHours: OrNull(ActiveHours),
  prompt: OrNull(Type.String({ minLength: 1, maxLength: 20_000, description: 'null: a default one' })),
  model: OrNull(
    Type.Object(
      { modelProvider: Type.String({ minLength: 1, maxLength: 100 }), modelId: Name() },
      { description: 'For beats alone; null: the agent’s' }
    )
  ),
  sessionId: OrNull(
    Type.String({ description: 'The session that beats continue; null: an isolated one, of the beats alone' })
  ),
  dailyBeats: OrNull(Type.Integer({ minimum: 1, maximum: 1_440, description: 'Beats a day, at most' })),
  dailyTokens: OrNull(
    Type.Integer({
      minimum: 1,
      maximum: 2_000_000_000,
      description: 'Input and output tokens of a day after which no beat begins'
    })
  )
}

export const Beat = Type.Object(
  {
    id: Type.String({ examples: ['beat_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    agentId: Type.String(),
    trigger: Type.Enum(['schedule', 'manual', 'external']),
    status: Type.Enum(['starting', 'running', 'completed', 'failed', 'cancelled', 'skipped']),
    reason: OrNull(
      Type.Enum(
        ['owner_disabled', 'outside_active_hours', 'backoff', 'daily_beats', 'daily_tokens', 'busy'],
        {
          description: 'Why it was skipped'
        }
      )
    ),
    error: OrNull(Type.Object({ code: Type.String(), message: Type.String() })),
    runId: OrNull(Type.String()),
    sessionId: OrNull(Type.String()),
    silent: OrNull(
      Type.Boolean({ description: 'The agent answered that nothing is to be done, and left no message' })
    ),
    tokens: OrNull(Type.Integer({ description: 'Input and output of its run' })),
    dueAt: OrNull(Time),
    createdAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'Beat' }
)
const version = Type.Integer({ description: 'Counts edits, 0 before the first; the ETag' })
export const Heartbeat = Type.Object(
  {
    agentId: Type.String(),
    owner: Type.String(),
    ...settings,
    isolatedSessionId: OrNull(Type.String({ description: 'Made by the first beat that needs it' })),
    nextBeatAt: OrNull(Time),
    scheduleError: OrNull(
      Type.String({ description: 'Why `nextBeatAt` is only a retry of its calculation' })
    ),
    lastBeat: OrNull(Beat),
    today: Type.Object({ beats: Type.Integer(), tokens: Type.Integer() }, { description: 'Of the caps' }),
    failures: Type.Integer({ description: 'Beats in a row that failed' }),
    backoffUntil: OrNull(Time),
    version,
    createdAt: OrNull(Time),
    updatedAt: OrNull(Time)
  },
  { title: 'Heartbeat' }
)
export const writable = [
  'enabled',
  'intervalMinutes',
  'cronExpression',
  'timezone',
  'activeHours',
  'prompt',
  'model',
  'sessionId',
  'dailyBeats',
  'dailyTokens'
] as const
const HeartbeatChanges = Type.Object(Changes(Heartbeat, writable).properties, {
  title: 'HeartbeatChanges',
  examples: [
    {
      enabled: true,
      intervalMinutes: 30,
      timezone: 'Europe/Berlin',
      activeHours: { from: '08:00', to: '20:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
      prompt: 'Look for new complaints, and answer those that nobody has answered.'
    }
  ]
})

export type ActiveHours = Static<typeof ActiveHours>
export type Heartbeat = Static<typeof Heartbeat>
export type HeartbeatChanges = Static<typeof HeartbeatChanges>
export type Settings = Pick<Heartbeat, (typeof writable)[number]>
export type Beat = Static<typeof Beat>

/** What is kept until its run has begun, so that it begins once, with the same words. */
export const beats = table<typeof Beat, { order: RunOrder | null }>('autonomy.beat', Beat, {
  also: ['order']
})

/** Before the first edit. */
export const defaults: Settings = {
  enabled: false,
  intervalMinutes: 30,
  cronExpression: null,
  timezone: 'UTC',
  activeHours: null,
  prompt: null,
  model: null,
  sessionId: null,
  dailyBeats: 100,
  dailyTokens: 1_000_000
}

const tags = ['autonomy']
const params = Type.Object({ agentId: Type.String() })

export const readHeartbeat = {
  tags,
  summary: 'Get the heartbeat of an agent',
  params,
  response: { 200: Data(Heartbeat) }
}
export const updateHeartbeat = {
  tags,
  summary: 'Update the heartbeat of an agent',
  description:
    'Enables, disables or changes it. Of `intervalMinutes` and `cronExpression` the one that is given takes the place of the other.',
  params,
  body: HeartbeatChanges,
  response: { 200: Data(Heartbeat) }
}
export const listBeats = {
  tags,
  summary: 'List the beats of an agent',
  description: 'With those that were skipped, and what triggered the agent from outside.',
  params,
  querystring: Type.Object({
    ...Paging,
    status: Type.Optional(Beat.properties.status),
    trigger: Type.Optional(Beat.properties.trigger)
  }),
  response: { 200: Page(Beat) }
}
export const fireBeat = {
  tags,
  summary: 'Fire one beat now',
  description:
    'Also while the heartbeat is off, outside of its hours and after failures. 409 `agent_busy` while the agent has something to do, 429 `daily_beats` or `daily_tokens` when a cap is reached.',
  params,
  response: { 200: Data(Beat) }
}
export const triggerAgent = {
  tags,
  summary: 'Trigger an agent with a payload from outside',
  description: 'Starts a run with it, marked as untrusted, and returns at once.',
  params,
  querystring: Type.Object({
    sessionId: Type.Optional(
      Type.String({ description: 'ID of the session to continue. Default: a new session' })
    )
  }),
  body: Type.Unknown({
    description: 'The payload: any JSON but null',
    examples: [{ event: 'ticket.created', ticket: { id: 4711, subject: 'The lamp broke' } }]
  }),
  response: { 200: Data(Beat) }
}
