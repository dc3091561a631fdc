import type { Kernel, Principal } from 'agent-platform'
import { depthOf, examineSchema, invalid, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import type { Definition, Step } from '../schemas/definition.ts'
import { stepTypeOf, stepTypes } from '../schemas/steps.ts'
import { faultOfTemplate } from '../validation/configs.ts'
import { checkExpressions } from '../validation/expressions.ts'
import { checkOrder } from '../validation/graph.ts'
import type { Place } from '../validation/places.ts'
import { scopesOf, wrongAt } from '../validation/places.ts'

export type DefinitionCheck = ReturnType<typeof createDefinitionCheck>

interface Deps extends Pick<Kernel, 'points'> {
  agents: Agents
  tools: Tools
}
/** 404, and 403 at `param`, unless the principal may execute the workflow. */
type Executable = (by: Principal, workflowId: string, param: string) => Promise<unknown>

const MAX_LENGTH = 262_144
const MAX_SCHEMA = 65_536
const MAX_SCHEMA_DEPTH = 64
/** For all schemas and expressions of a definition. */
const TIME_MS = 20_000

const isFixed = (value: unknown): value is string => typeof value === 'string' && !value.includes('{{')

/** What a definition has to be before it is kept. */
export function createDefinitionCheck({ points, agents, tools }: Deps) {
  function checkConfig(place: Place, type: string, config: Step['config'] = {}, at = place.at): void {
    const known = stepTypeOf(type)
    const kinds = points.all('workflows.step')
    const schema = known?.config ?? kinds.find(({ key }) => key === type)?.value.config
    if (!schema) {
      const names = [...Object.keys(stepTypes), ...kinds.map(({ key }) => key)].sort().join(', ')
      throw wrongAt(place, `${at}/type`, `its type must be one of ${names}`)
    }
    const fault = faultOfTemplate(type, schema, config)
    if (fault) throw wrongAt(place, `${at}/config${fault.at}`, `config${fault.at} ${fault.text}`)
  }

  async function checkSchema(by: Principal, schema: object, at: string, signal: AbortSignal, place?: Place) {
    const wrong = (where: string, text: string) =>
      place ? wrongAt(place, at + where, text) : invalid(at + where, `${at + where} ${text}`)
    if (JSON.stringify(schema).length > MAX_SCHEMA)
      throw wrong('', `must not be longer than ${MAX_SCHEMA} characters`)
    if (depthOf(schema, MAX_SCHEMA_DEPTH) > MAX_SCHEMA_DEPTH)
      throw wrong('', `must not be nested more than ${MAX_SCHEMA_DEPTH} levels deep`)
    const fault = await examineSchema(by, schema, signal)
    if (fault) throw wrong(fault.at, `the JSON Schema${fault.at && ` at ${fault.at}`} ${fault.text}`)
  }

  async function checkUse(
    by: Principal,
    place: Place,
    { type, config = {} }: Pick<Step, 'type' | 'config'>,
    at: string,
    executable: Executable
  ) {
    const { agentId, tool, workflowId } = config
    const named = <T>(use: Promise<T>) =>
      use.catch((error) => {
        error.message = `Step ${place.step.id}: ${error.message}`
        throw error
      })
    if (!stepTypeOf(type)) {
      const brought = points.all('workflows.step').find(({ key }) => key === type)?.value
      if (brought?.check) await named(brought.check(by, config, `${at}/config`))
      return
    }
    if (isFixed(workflowId)) await named(executable(by, workflowId, `${at}/config/workflowId`))
    if (!isFixed(agentId)) return
    await named(agents.owned(by, agentId, 'run', `${at}/config/agentId`))
    if (!isFixed(tool)) return
    const offered = await tools.offer(by, agentId)
    if (!offered.some(({ id, name }) => id === tool || name === tool))
      throw notFound(`Step ${place.step.id}: Tool ${tool}, assigned to the agent,`, {
        param: `${at}/config/tool`
      })
  }

  async function check(by: Principal, definition: Definition, executable: Executable, signal: AbortSignal) {
    const scopes = scopesOf(definition)
    const places = scopes.flatMap(({ places }) => places)
    for (const place of places) {
      const { type, config, compensation } = place.step
      checkConfig(place, type, config)
      if (!compensation) continue
      const at = `${place.at}/compensation`
      if (stepTypeOf(compensation.type) && !stepTypeOf(compensation.type)?.compensates)
        throw wrongAt(place, `${at}/type`, `a step of type ${compensation.type} undoes nothing`)
      checkConfig(place, compensation.type, compensation.config, at)
    }
    const before = new Map(scopes.map((scope) => [scope, checkOrder(scope)]))
    await checkExpressions(by, definition, scopes, before, signal)
    const { inputSchema } = definition
    if (inputSchema) await checkSchema(by, inputSchema, '/definition/inputSchema', signal)
    for (const place of places) {
      const { type, config = {}, compensation } = place.step
      for (const name of stepTypeOf(type)?.schemas ?? [])
        if (config[name] !== undefined)
          await checkSchema(by, config[name] as object, `${place.at}/config/${name}`, signal, place)
      await checkUse(by, place, place.step, place.at, executable)
      if (compensation) await checkUse(by, place, compensation, `${place.at}/compensation`, executable)
    }
  }

  /**
   * 400 at what is wrong, with the step's id; 403 and 404 at an agent or workflow that the principal may not use. What only
   * an execution can tell, since an expression decides it, is left to that.
   */
  return async (by: Principal, definition: Definition, executable: Executable): Promise<void> => {
    if (JSON.stringify(definition).length > MAX_LENGTH)
      throw invalid('/definition', `/definition must not be longer than ${MAX_LENGTH} characters`)
    const signal = AbortSignal.timeout(TIME_MS)
    await check(by, definition, executable, signal).catch((error) => {
      throw error === signal.reason
        ? invalid('/definition', '/definition takes too long to be checked')
        : error
    })
  }
}
