import type { Step } from '../schemas/definition.ts'

/** What expressions at one place may refer to. */
export interface Sight {
  /** Ids of steps that have ended by then, with the step, as far as it is known here. */
  readonly steps: ReadonlyMap<string, Step>
  /** Inside of a `forEach`. */
  readonly hasItem: boolean
  readonly inputSchema: unknown
}

const OF_STEP = ['output', 'error', 'sessionId']
const OF_EXECUTION = ['id', 'workflowId']

/** What is wrong with a name that an expression takes from its context, if that is known. */
export function faultOfReference([root, ...path]: readonly string[], sight: Sight, all: ReadonlySet<string>) {
  switch (root) {
    case 'input': {
      const missing = missingIn(sight.inputSchema, path)
      return missing === undefined
        ? undefined
        : `${['input', ...path].join('.')}: inputSchema has no ${missing}`
    }
    case 'steps':
      return faultOfStep(path, sight, all)
    case 'execution':
      return path.length === 0 || OF_EXECUTION.includes(path[0] as string)
        ? undefined
        : `execution.${path[0]} is not known; there are ${OF_EXECUTION.join(', ')}`
    case 'item':
    case 'index':
      return sight.hasItem ? undefined : `${root} is known inside of forEach alone`
    case undefined:
      return 'an expression names what it needs, such as input or steps.<id>, not all that there is'
    default:
      return `${root} is not known; there are input, steps, execution, and in forEach item and index`
  }
}

function faultOfStep([id, part, ...rest]: readonly string[], { steps }: Sight, all: ReadonlySet<string>) {
  if (id === undefined) return 'steps stands before the id of a step: steps.<id>'
  const step = steps.get(id)
  if (!step)
    return all.has(id) ? `step ${id} does not come before it: name it in dependsOn` : `there is no step ${id}`
  if (part === undefined) return undefined
  if (!OF_STEP.includes(part)) return `steps.${id}.${part} is not known; there are ${OF_STEP.join(', ')}`
  const missing = part === 'output' ? missingIn(outputSchemaOf(step), rest) : undefined
  return missing === undefined ? undefined : `there is no ${missing} in what step ${id} gives`
}

const text = { type: 'string' }
const ENDED = { type: ['string', 'null'] }
const DECIDED = {
  type: 'object',
  properties: { approved: {}, data: {}, decisions: {} },
  additionalProperties: false
}

/** What a step gives, where its kind says it; undefined for anything. */
function outputSchemaOf({ type, config = {}, onError }: Step): unknown {
  if (onError === 'continue') return undefined
  switch (type) {
    case 'agent':
      return config.output ?? text
    case 'condition':
      return { type: 'boolean' }
    case 'approval':
      return DECIDED
    case 'wait':
      return config.event === undefined ? ENDED : config.schema
    default:
      return undefined
  }
}

const UNSURE = [
  '$ref',
  '$dynamicRef',
  'anyOf',
  'oneOf',
  'allOf',
  'if',
  'not',
  'patternProperties',
  'dependentSchemas'
]

/** The first name of a path that a value of the schema cannot have; undefined where it may have all of them. */
function missingIn(schema: unknown, [name, ...rest]: readonly string[]): string | undefined {
  if (name === undefined || typeof schema !== 'object' || schema === null) return undefined
  if (UNSURE.some((keyword) => keyword in schema)) return undefined
  const { type, properties = {}, additionalProperties, items } = schema as Record<string, unknown>
  const types = type === undefined ? ['object'] : [type].flat()
  // A path goes into the items of a list.
  if (types.includes('array')) return types.length === 1 ? missingIn(items, [name, ...rest]) : undefined
  if (!types.includes('object')) return name
  if (Object.hasOwn(properties as object, name))
    return missingIn((properties as Record<string, unknown>)[name], rest)
  return additionalProperties === false ? name : undefined
}
