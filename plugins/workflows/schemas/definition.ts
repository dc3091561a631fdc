import { Name } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { stepTypesInWords } from './steps.ts'

// The definition of a workflow: a graph of steps. Strings of `config` may hold expressions: `{{ … }}` in JSONata; a string
// that is one expression alone is its value, whatever type that has. They see `input`, `steps.<id>.output` of the steps
// that the step depends on, `execution.id`, and inside of `forEach` also `item` and `index`.
const StepId = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
  description: 'Letters, digits and `_`. Unique in the whole definition, steps inside of steps included',
  examples: ['classify']
})
const MAX_STEPS = 100

const Retry = Type.Object(
  {
    attempts: Type.Integer({ minimum: 1, maximum: 10, description: 'The first one included' }),
    backoffSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 86_400, default: 1, description: 'Doubled with each attempt' })
    )
  },
  { title: 'StepRetry' }
)
const OnError = Type.Union(
  [
    Type.Literal('fail', { description: 'The execution fails. The default' }),
    Type.Literal('continue', { description: 'The step counts as completed, its output is null' }),
    Type.Object(
      { step: StepId },
      { description: 'That step and those that depend on it run, and see `steps.<id>.error`' }
    )
  ],
  { title: 'StepOnError' }
)
const Config = Type.Record(Type.String(), Type.Unknown(), {
  description: `By type:\n\n${stepTypesInWords}\n\nStrings may hold expressions in JSONata: \`{{ input.amount > 10 }}\``
})
const Compensation = Type.Object(
  { type: Type.String(), config: Config },
  {
    title: 'StepCompensation',
    description: 'Undoes the completed step when the execution fails or is cancelled'
  }
)

export const Step = Type.Object(
  {
    id: StepId,
    type: Type.String({
      maxLength: 64,
      description: 'One of these, or of a pack that brings more',
      examples: ['agent']
    }),
    name: Type.Optional(Name()),
    dependsOn: Type.Optional(
      Type.Array(StepId, {
        maxItems: MAX_STEPS,
        uniqueItems: true,
        description: 'Steps that it comes after; left out: it begins at once'
      })
    ),
    config: Type.Optional(Config),
    retry: Type.Optional(Retry),
    timeoutSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 30 * 86_400,
        description: 'Of an attempt; a wait or approval has its own'
      })
    ),
    onError: Type.Optional(OnError),
    compensation: Type.Optional(Compensation)
  },
  { title: 'WorkflowStep' }
)
export const Definition = Type.Object(
  {
    inputSchema: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the input' })
    ),
    steps: Type.Array(Step, { minItems: 1, maxItems: MAX_STEPS }),
    output: Type.Optional(
      Type.Unknown({ description: 'With expressions; left out: the outputs of the last steps, by their ids' })
    )
  },
  { title: 'WorkflowDefinition' }
)
export type Step = Static<typeof Step>
export type Definition = Static<typeof Definition>
export type Retry = Static<typeof Retry>
