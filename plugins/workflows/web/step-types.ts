import type { LucideIcon } from 'lucide-react'
import {
  Bot,
  Clock,
  GitBranch,
  Puzzle,
  Repeat,
  Split,
  UserCheck,
  Variable,
  Workflow,
  Wrench
} from 'lucide-react'

export type FieldKind =
  | 'agent'
  | 'workflow'
  | 'text'
  | 'long'
  | 'number'
  /** JSON, or text with expressions. */
  | 'value'
  /** Ids of steps beside it. */
  | 'steps'
  | 'step'
  | 'texts'

interface Field {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  readonly isRequired?: boolean
  readonly description?: string
}
interface StepType {
  readonly label: string
  readonly icon: LucideIcon
  readonly summary: string
  /** Of `config`; left out where a pack brings the type: its config is entered whole. */
  readonly fields?: readonly Field[]
  /** Config of a new step, where it needs one to be saved. */
  readonly begins?: Readonly<Record<string, unknown>>
}

const agent: Field = { name: 'agentId', label: 'Agent', kind: 'agent', isRequired: true }
const schema = (name: string, label: string): Field => ({
  name,
  label,
  kind: 'value',
  description: 'JSON Schema'
})

const types: Readonly<Record<string, StepType>> = {
  agent: {
    label: 'Agent',
    icon: Bot,
    summary: 'A run of an agent. Gives its answer.',
    fields: [
      agent,
      { name: 'prompt', label: 'Prompt', kind: 'long', isRequired: true },
      { name: 'sessionId', label: 'Session', kind: 'text', description: 'Default: a new session' },
      schema('output', 'Shape of the answer'),
      { name: 'model', label: 'Model', kind: 'value', description: 'modelProvider and modelId, as JSON' }
    ]
  },
  tool: {
    label: 'Tool',
    icon: Wrench,
    summary: 'A call of a tool that the agent has. Gives what the tool gives.',
    fields: [
      agent,
      { name: 'tool', label: 'Tool', kind: 'text', isRequired: true, description: 'Its name or id' },
      { name: 'args', label: 'Arguments', kind: 'value' }
    ]
  },
  condition: {
    label: 'Condition',
    icon: GitBranch,
    summary: 'Goes on with some steps or with others.',
    fields: [
      {
        name: 'if',
        label: 'If',
        kind: 'value',
        isRequired: true,
        description: 'An expression: true or false'
      },
      { name: 'then', label: 'Then', kind: 'steps' },
      { name: 'else', label: 'Else', kind: 'steps' }
    ],
    begins: { if: '{{ true }}' }
  },
  approval: {
    label: 'Approval',
    icon: UserCheck,
    summary: 'Waits for the decision of a person.',
    fields: [
      { name: 'message', label: 'Message', kind: 'long', isRequired: true },
      schema('form', 'Form'),
      { name: 'principals', label: 'Who decides', kind: 'texts', description: 'Beside the owner' },
      { name: 'count', label: 'Approvals needed', kind: 'number' },
      { name: 'deadlineSeconds', label: 'Deadline in seconds', kind: 'number' },
      {
        name: 'onReject',
        label: 'When it is rejected',
        kind: 'step',
        description: 'Default: the execution fails'
      }
    ],
    begins: { message: 'May this go on?' }
  },
  wait: {
    label: 'Wait',
    icon: Clock,
    summary: 'For a while, until a time, or for an event from outside.',
    fields: [
      { name: 'seconds', label: 'Seconds', kind: 'value' },
      { name: 'until', label: 'Until', kind: 'text', description: 'A time, ISO 8601' },
      { name: 'event', label: 'Event', kind: 'text', description: 'Its name' },
      { name: 'key', label: 'Key of the event', kind: 'text' },
      schema('schema', 'Shape of the event’s data'),
      { name: 'timeoutSeconds', label: 'Waits for the event at most, in seconds', kind: 'number' }
    ],
    begins: { seconds: 60 }
  },
  transform: {
    label: 'Transform',
    icon: Variable,
    summary: 'Makes a value of what is there.',
    fields: [{ name: 'value', label: 'Value', kind: 'value', isRequired: true }],
    begins: { value: '{{ input }}' }
  },
  parallel: {
    label: 'Parallel',
    icon: Split,
    summary: 'Steps of its own, side by side.',
    fields: [],
    begins: { steps: [] }
  },
  forEach: {
    label: 'For each',
    icon: Repeat,
    summary: 'Steps of its own, for each of many items.',
    fields: [
      { name: 'items', label: 'Items', kind: 'value', isRequired: true },
      { name: 'concurrency', label: 'Side by side, at most', kind: 'number' },
      { name: 'output', label: 'What each gives', kind: 'value' }
    ],
    begins: { items: '{{ input.items }}', steps: [] }
  },
  workflow: {
    label: 'Workflow',
    icon: Workflow,
    summary: 'An execution of another workflow.',
    fields: [
      { name: 'workflowId', label: 'Workflow', kind: 'workflow', isRequired: true },
      { name: 'input', label: 'Input', kind: 'value' }
    ]
  }
}

export const typeNames = Object.keys(types)

/** How steps of a type are shown; those of types that a pack brings, too. */
export const stepTypeOf = (type: string): StepType =>
  Object.hasOwn(types, type)
    ? (types[type] as StepType)
    : { label: type, icon: Puzzle, summary: 'A step of a pack.' }
