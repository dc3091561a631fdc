import type { Principal, SchemaFault } from 'agent-platform'
import { digestOf, examineValue, invalid } from 'agent-platform'
import type { StepRow } from '../executions/journal.ts'
import type { Definition, Step } from '../schemas/definition.ts'

/** The config of a step that waits for an event. */
export interface WaitConfig {
  readonly event: string
  readonly key?: string
  /** JSON Schema of the data. */
  readonly schema?: object
}

/** An event as it comes. */
export interface Sent {
  readonly event: string
  readonly key: string | null
  readonly data: unknown
}

/** Of the steps that wait for an event in an execution, or for one with that key in those of a workflow. */
export const addressOf = (of: string, event: string, key: string | null = null): string =>
  `event:${digestOf([of, event, key])}`

export const configOf = ({ input }: Pick<StepRow, 'input'>): WaitConfig => input as WaitConfig

/** Whether a step would take it, its schema aside. One that waits for no key takes what comes to its execution. */
export const isMeant = ({ key }: WaitConfig, sent: Sent): boolean => key === undefined || key === sent.key

export async function faultOf(
  by: Principal,
  { schema }: WaitConfig,
  data: unknown,
  signal?: AbortSignal
): Promise<SchemaFault | undefined> {
  return schema && (await examineValue(by, schema, data ?? null, signal))
}

const isExpression = (value: unknown) => typeof value === 'string' && value.includes('{{')
const could = (value: unknown, given: unknown) => value === given || isExpression(value)

function* stepsOf(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step
    yield* stepsOf((step.config?.steps ?? []) as Step[])
  }
}

/**
 * 400 for an event that no step of the definition can take: by its name, its key, or the schemas of its data. What comes to
 * no execution needs a step with a key.
 */
export async function checkSent(
  by: Principal,
  definition: Definition,
  sent: Sent,
  hasExecution: boolean
): Promise<void> {
  const waiting = [...stepsOf(definition.steps)].flatMap(({ type, config = {} }) =>
    type === 'wait' && could(config.event, sent.event) ? [config as unknown as WaitConfig] : []
  )
  if (waiting.length === 0) throw invalid('/event', `No step of the workflow waits for ${sent.event}`)
  const fitting = waiting.filter(({ key }) => (key === undefined ? hasExecution : could(key, sent.key)))
  if (fitting.length === 0)
    throw invalid('/key', `No step of the workflow waits for ${sent.event} with that key`)
  let first: SchemaFault | undefined
  for (const config of fitting) {
    const fault = await faultOf(by, config, sent.data)
    if (!fault) return
    first ??= fault
  }
  if (first) throw invalid(`/data${first.at}`, `/data${first.at} ${first.text}`)
}
