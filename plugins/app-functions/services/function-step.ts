import type { Principal } from 'agent-platform'
import { examineValue, invalid, notFound } from 'agent-platform'
import { Type } from 'typebox'
import type { UiPlugins } from '../../ui-plugins/contract.ts'
import type { StepKind } from '../../workflows/contract.ts'
import type { Declared } from '../stores/tools.ts'
import { isCut } from './outcomes.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const config = Type.Object(
  {
    app: Name,
    function: Name,
    input: Type.Optional(Type.Object({}, { additionalProperties: true }))
  },
  { additionalProperties: false }
)

/** Whether no expression decides it. */
const isFixed = (value: unknown): boolean => !JSON.stringify(value).includes('{{')

/** A step of a workflow that is a function of an app. */
export function createFunctionStep(deps: { 'ui-plugins': UiPlugins }): StepKind {
  const apps = deps['ui-plugins']

  async function find(by: Principal, app: string, name: string, param?: string): Promise<Declared> {
    const { manifest } = await apps.installation(by, app)
    const found = manifest.functions.find((it) => it.name === name && it.tool)
    if (!found) throw notFound('Function', param === undefined ? {} : { param })
    return found
  }

  const check: StepKind['check'] = async (by, { app, function: name, input = {} }, at) => {
    if (!isFixed(app)) return
    await apps.installation(by, String(app)).catch((error) => {
      throw Object.assign(error, { param: `${at}/app` })
    })
    if (!isFixed(name)) return
    const declared = await find(by, String(app), String(name), `${at}/function`)
    const fault = isFixed(input) ? await examineValue(by, declared.input, input) : undefined
    if (fault) throw invalid(`${at}/input${fault.at}`, `config/input${fault.at} ${fault.text}`)
  }

  const isIdempotent: StepKind['idempotent'] & object = async ({ by, config: { app, function: name } }) => {
    // Of what cannot be found out it is not known to be safe.
    const declared = await find(by, String(app), String(name)).catch(() => undefined)
    return declared?.idempotent ?? false
  }

  const run: StepKind['run'] = async ({ by, config, depth, signal, used }) => {
    const { app, function: name, input = {} } = config
    const { idempotent } = await find(by, String(app), String(name))
    try {
      const output = await apps.callFunction(by, String(app), String(name), input, { signal, depth, used })
      return { output }
    } catch (error) {
      signal.throwIfAborted()
      if (!isCut(error) || idempotent) throw error
      const { message } = error as Error
      throw Object.assign(new Error(`${message}: it may have been done`), { code: 'outcome_unknown' })
    }
  }

  return { config, idempotent: isIdempotent, check, run }
}
