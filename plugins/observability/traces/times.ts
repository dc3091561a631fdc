import type { Kernel } from 'agent-platform'

/** When what of a run happened, by its events. */
export interface Times {
  /** Of calls of the model: each time that it was asked, with its first and last piece of text. */
  readonly steps: readonly { step: number; attempt: number; at: string; firstAt?: string }[]
  /** By call: when it began, where it was made. */
  readonly calls: ReadonlyMap<string, string>
  /** What else is worth telling. */
  readonly told: readonly { readonly name: string; readonly at: string; readonly attributes: object }[]
}

interface Told {
  readonly type: string
  readonly at?: string
  readonly step?: number
  readonly attempt?: number
  readonly callId?: string
  readonly status?: string
}

/** Reads what a run's stream says of times, and nothing of what was said in it. */
export async function timesOf(
  { streams }: Pick<Kernel, 'streams'>,
  project: string,
  runId: string
): Promise<Times> {
  const steps: { step: number; attempt: number; at: string; firstAt?: string }[] = []
  const calls = new Map<string, string>()
  const told: { name: string; at: string; attributes: object }[] = []
  for await (const { type, at = '', ...event } of eventsOf({ streams }, project, runId)) {
    const last = steps.at(-1)
    if (type === 'agent_step') steps.push({ step: event.step ?? 0, attempt: event.attempt ?? 1, at })
    else if (type === 'token' && last) last.firstAt ??= at
    else if (type === 'toolStart' && event.callId !== undefined) calls.set(event.callId, at)
    else if (type === 'approval_request' || type === 'cli_tool_request')
      told.push({ name: type, at, attributes: { callId: event.callId ?? '' } })
    else if (type === 'status' && event.status !== 'running' && event.status !== 'commentary')
      told.push({ name: `run.${event.status}`, at, attributes: {} })
  }
  return { steps, calls, told }
}

async function* eventsOf(
  { streams }: Pick<Kernel, 'streams'>,
  project: string,
  runId: string
): AsyncGenerator<Told> {
  const state = await streams.state(project, runId)
  if (!state || state.last < 0) return
  let isNew = true
  for await (const body of streams.follow(project, runId, -1)) {
    let seq = -1
    for (const line of body.split('\n')) {
      const isText = line.startsWith('{"type":"token"')
      // Of text the first piece is enough; a line is long.
      const event = isText && !isNew ? undefined : (JSON.parse(line) as Told & { seq: number })
      if (event) {
        yield event
        seq = event.seq
      } else seq = Number(/"seq":(\d+)/.exec(line)?.[1] ?? seq)
      isNew = !isText
    }
    // Of a run that goes on, what there is now.
    if (seq >= state.last) return
  }
}
