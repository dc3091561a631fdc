import { Closed } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import type { Runs } from './contract.ts'
import type { RunService } from './run-service.ts'
import { Run } from './schemas/runs.ts'

/** Less than a call of a function has in all, unless a deployment says otherwise. */
const WAIT_SECONDS = 25
/** What apps see of a run: what it waits for is for people to decide and answer, not for apps. */
const AppRun = Type.Pick(Run, [
  'id',
  'agentId',
  'sessionId',
  'status',
  'content',
  'usage',
  'error',
  'createdAt',
  'endedAt'
])
const narrows = { to: 'agents' } as const
// Credentials that may run agents alone follow what they began.
const reading = ['agents:read', 'agents:run']
const id = Type.String({ maxLength: 128 })

const StartParams = Closed({
  agentId: id,
  message: Type.String({ minLength: 1, maxLength: 100_000, description: 'What is said to the agent' }),
  sessionId: Type.Optional(
    Type.String({ maxLength: 128, description: 'ID of the session to continue. Default: a new session' })
  ),
  untrusted: Type.Optional(
    Type.Boolean({
      description: 'The message comes from outside: the agent is told to follow no instruction in it'
    })
  ),
  answerSchema: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the answer that is asked for' })
  ),
  key: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,100}$',
      description: 'The same key within a day is the same run: for calls that are made again'
    })
  )
})
const RunParams = Closed({ runId: id })
const WaitParams = Closed({
  runId: id,
  seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: WAIT_SECONDS, default: WAIT_SECONDS }))
})

/** Has an agent answer: by its own tools, with the rights of the caller. */
export const startCapability = ({
  starts
}: {
  starts: Pick<Runs, 'start'>
}): Capability<Static<typeof StartParams>> => ({
  title: 'Start a run',
  description: 'Has an agent of the caller answer, in a new session or in one that goes on',
  risk: 'high',
  reaches: 'Has the agents that you can run do things in your name, with all the tools that they have',
  narrows: { to: 'agents', at: '/agentId' },
  scope: ['agents:run'],
  params: StartParams,
  result: Type.Pick(Run, ['id', 'sessionId']),
  call: (by, { message, key, untrusted, ...order }, { appId, depth, runId }) =>
    starts.start(by, {
      ...order,
      messages: [{ role: 'user', content: message, ...(untrusted && { untrusted }) }],
      // What the caller begins itself, and what other apps begin for it, is not found by this one's keys.
      ...(key !== undefined && { key: `${appId}/${key}` }),
      depth,
      ...(runId !== undefined && { parent: runId })
    })
})

/** How a run goes on, and what it answered. */
export const readCapability = ({
  runService
}: {
  runService: RunService
}): Capability<Static<typeof RunParams>> => ({
  title: 'Read a run',
  description: 'The state of a run, and its answer',
  risk: 'medium',
  reaches: 'Reads what your agents answered',
  narrows,
  scope: reading,
  params: RunParams,
  result: AppRun,
  idempotent: true,
  async call(by, { runId }, { within }) {
    const run = await runService.find(by, runId, 'read')
    within(run.agentId)
    return runService.show(run)
  }
})

/** Saves an app from asking again and again. */
export const waitCapability = ({
  runService
}: {
  runService: RunService
}): Capability<Static<typeof WaitParams>> => ({
  title: 'Wait for a run',
  description: `The run once it has ended or waits for a person, or as it is after \`seconds\`: at most ${WAIT_SECONDS}`,
  risk: 'medium',
  reaches: 'Reads what your agents answered',
  narrows,
  scope: reading,
  params: WaitParams,
  result: AppRun,
  idempotent: true,
  async call(by, { runId, seconds = WAIT_SECONDS }, { within, signal }) {
    const run = await runService.find(by, runId, 'read')
    within(run.agentId)
    return runService.settled(run, AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]))
  }
})

export const cancelCapability = ({
  runService
}: {
  runService: RunService
}): Capability<Static<typeof RunParams>> => ({
  title: 'Cancel a run',
  description: 'Stops a run; 409 `already_ended` for one that has ended',
  risk: 'medium',
  reaches: 'Stops what your agents are doing',
  narrows,
  scope: ['agents:write', 'agents:run'],
  params: RunParams,
  result: AppRun,
  async call(by, { runId }, { within }) {
    within((await runService.find(by, runId, 'change')).agentId)
    return runService.cancel(by, runId)
  }
})
