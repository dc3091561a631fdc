import type { RunEvent } from 'agent-platform-client'

/** How long a step of a run took, in milliseconds. */
export interface StepTimes {
  readonly step: number
  /** Since the run was accepted. */
  readonly began: number
  /** Until the model had replied; undefined while it does. */
  readonly model?: number
  /** Since then until its last call ended, without what it waited for people and for its caller. */
  readonly calls?: number
  readonly waited: number
}

/** What the times of a run's events tell. */
export interface RunTimes {
  readonly steps: readonly StepTimes[]
  /** Since it was accepted, until the last event. */
  readonly total: number
  /** Until the first piece of text. */
  readonly firstWords: number | undefined
}

interface Step {
  readonly step: number
  readonly beganAt: number
  repliedAt?: number
  endedAt?: number
  waited: number
}

/** Takes the events of a run in order. Clocks of two instances may differ a little: nothing takes less than no time. */
export function createRunTimes() {
  const steps: Step[] = []
  const calls = new Map<string, { readonly beganAt: number; readonly waited: number; isCallers: boolean }>()
  let acceptedAt: number | undefined
  let lastAt = 0
  let firstWords: number | undefined
  let waitingSince: number | undefined
  /** In all. */
  let waited = 0

  function goOn(at: number) {
    if (waitingSince === undefined) return
    const time = Math.max(0, at - waitingSince)
    waitingSince = undefined
    waited += time
    const step = steps.at(-1)
    if (step) step.waited += time
  }

  /** Of a call that has ended, its milliseconds. */
  function add(event: RunEvent): number | undefined {
    const at = Date.parse(event.at)
    if (Number.isNaN(at)) return undefined
    acceptedAt ??= at
    lastAt = Math.max(lastAt, at)
    const step = steps.at(-1)
    switch (event.type) {
      case 'agent_step':
        goOn(at)
        // A step that was cut is announced again.
        if (step?.step !== event.step) steps.push({ step: event.step, beganAt: at, waited: 0 })
        break
      case 'token':
        firstWords ??= at - acceptedAt
        break
      case 'toolStart':
        if (step) step.repliedAt ??= at
        calls.set(event.callId, { beganAt: at, waited, isCallers: false })
        break
      case 'cli_tool_request': {
        const call = calls.get(event.callId)
        if (call) call.isCallers = true
        break
      }
      case 'toolEnd': {
        if (step) step.endedAt = at
        const call = calls.get(event.callId)
        return call && Math.max(0, at - call.beganAt - (call.isCallers ? 0 : waited - call.waited))
      }
      case 'status':
        if (event.status === 'waiting') waitingSince ??= at
        else if (event.status === 'running' || event.status === 'resumed') goOn(at)
        break
      case 'final':
      case 'error':
      case 'cancelled':
        goOn(at)
        if (step) {
          step.repliedAt ??= at
          step.endedAt ??= at
        }
    }
    return undefined
  }

  const timesOf = ({ step, beganAt, repliedAt, endedAt, waited }: Step): StepTimes => ({
    step,
    began: Math.max(0, beganAt - (acceptedAt ?? beganAt)),
    ...(repliedAt !== undefined && { model: Math.max(0, repliedAt - beganAt) }),
    ...(repliedAt !== undefined &&
      endedAt !== undefined && { calls: Math.max(0, endedAt - repliedAt - waited) }),
    waited
  })

  return {
    add,
    times: (): RunTimes => ({
      steps: steps.map(timesOf),
      total: acceptedAt === undefined ? 0 : lastAt - acceptedAt,
      firstWords
    })
  }
}

/** Of all steps together. */
export function sumOf({ steps }: RunTimes, key: 'model' | 'calls' | 'waited'): number {
  return steps.reduce((sum, step) => sum + (step[key] ?? 0), 0)
}
