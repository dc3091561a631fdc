import { evaluateTemplate } from 'agent-platform'
import type { Attempt, Kind } from '../kinds/kind.ts'
import { stepTypeOf } from '../schemas/steps.ts'
import { recordable } from '../stores/json.ts'
import { faultOfConfig } from '../validation/configs.ts'
import { BYTES, checkRoom, tooLarge } from './failures.ts'
import type { StepRow } from './journal.ts'
import { StepFailure } from './journal.ts'
import type { Live } from './live.ts'
import type { Placed } from './plan.ts'
import { isContainer } from './plan.ts'
import { branch, contextOf, itemsOf, iteration, outputsOf } from './scopes.ts'

type Config = Attempt['config']

/** What a step is given: its config, with the expressions evaluated. */
export async function configOf(live: Live, { scope, step }: Placed, signal: AbortSignal): Promise<Config> {
  const { raw = [], texts = [] } = stepTypeOf(step.type) ?? {}
  const given = Object.entries(step.config ?? {})
  const template = Object.fromEntries(given.filter(([name]) => !raw.includes(name)))
  const fixed = given.filter(([name]) => raw.includes(name) && !isContainer(step.type))
  const context = contextOf(live.row, live.rows, scope, step)
  const values = (await evaluateTemplate(live.by, template, context, signal)) as Record<string, unknown>
  for (const name of texts)
    if (values[name] !== undefined && typeof values[name] !== 'string')
      values[name] = JSON.stringify(values[name])
  // Any value is one for it, and so is none.
  if (step.type === 'transform') values.value ??= null
  // As another instance would find it, and as other records take it.
  const { value: config, text } = recordable({ ...values, ...Object.fromEntries(fixed) })
  const bytes = Buffer.byteLength(text)
  if (bytes > BYTES) throw tooLarge('input_too_large', 'The input of the step', bytes)
  checkRoom(live, text, 'input_too_large')
  return config as Config
}

/** Fails the step whose config is not what its type asks for, now that its expressions are evaluated. */
export function checkConfig({ step }: Placed, kind: Kind, config: Config): void {
  const { config: schema = kind.config, raw = [] } = stepTypeOf(step.type) ?? {}
  if (!schema) return
  // Of a step with steps inside, what is for later is not among what it is given.
  const later = Object.entries(step.config ?? {}).filter(([name]) => raw.includes(name))
  const fault = faultOfConfig(step.type, schema, { ...Object.fromEntries(later), ...config })
  if (fault) throw new StepFailure('invalid_config', `config${fault.at} ${fault.text}`, { final: true })
}

/** What a step gives whose steps inside have ended. */
export async function outputOf(live: Live, { scope, step }: Placed, row: StepRow, signal: AbortSignal) {
  if (step.type === 'parallel') return outputsOf(live, branch(scope, step))
  const { output } = step.config ?? {}
  const outputs: unknown[] = []
  for (const [index, value] of itemsOf(row).entries()) {
    const item = iteration(scope, step, value, index)
    const context = output === undefined ? undefined : contextOf(live.row, live.rows, item)
    outputs.push(context ? await evaluateTemplate(live.by, output, context, signal) : outputsOf(live, item))
  }
  return outputs
}

const LOOP_OUTPUT = 'The output of the loop (return less of each item with `output`)'

/** The output of a step as the record has it; throws `output_too_large`. */
export function checkedOutput(live: Live, row: StepRow, output: unknown): unknown {
  const { value, text } = recordable(output)
  const bytes = Buffer.byteLength(text)
  const what = row.kind === 'forEach' ? LOOP_OUTPUT : 'The output of the step'
  if (bytes > BYTES) throw tooLarge('output_too_large', what, bytes)
  checkRoom(live, text, 'output_too_large')
  return value
}
