import type { Definition, Step } from '../schemas/definition.ts'
import type { Workflow } from '../schemas/workflows.ts'
import { scopesOf } from '../validation/places.ts'

/** Parts of configs that say whom the owner knows, or what it talked about. */
const PRIVATE = ['principals', 'sessionId']

const isExpression = (value: unknown) => typeof value === 'string' && value.includes('{{')

/** A definition as those see it whose it is not. */
function publicPart(original: Definition): Definition {
  const definition = structuredClone(original)
  const strip = ({ config = {} }: Pick<Step, 'config'>) => {
    for (const name of PRIVATE) if (!isExpression(config[name])) delete config[name]
  }
  for (const { step } of scopesOf(definition).flatMap(({ places }) => places)) {
    strip(step)
    if (step.compensation) strip(step.compensation)
  }
  return definition
}

/** A public workflow as those read it whose it is not: ids of agents and workflows stay, for a fork to name what stands for them. */
export const published = <W extends Workflow>(workflow: W): W => ({
  ...workflow,
  definition: publicPart(workflow.definition)
})
