import type { TObject } from 'typebox'
import { Type } from 'typebox'

const closed = { additionalProperties: false }
const Id = Type.String({ minLength: 1, maxLength: 200 })
const Label = Type.String({ minLength: 1, maxLength: 200 })
const StepIds = Type.Array(Type.String(), { maxItems: 100, uniqueItems: true })
const Seconds = (minimum: number) => Type.Number({ minimum, maximum: 3_660 * 86_400 })
const JsonSchema = Type.Object({}, { additionalProperties: true })
/** Checked one by one, as those of the definition are. */
const Steps = Type.Array(Type.Unknown(), { minItems: 1, maxItems: 100 })

interface StepType {
  /** What a step of it does, and what its output is. */
  readonly summary: string
  /** Of `config`. */
  readonly config: TObject
  /** Parts of it that are not evaluated when the step begins: without expressions, or for later. */
  readonly raw?: readonly string[]
  /** Parts of it that are text: another value that an expression gives becomes JSON, as it does within text. */
  readonly texts?: readonly string[]
  /** Parts of it that are JSON Schemas. */
  readonly schemas?: readonly string[]
  /** It has steps inside, under `config.steps`. */
  readonly isContainer?: true
  /** It can undo another step. */
  readonly compensates?: true
}

/** The kinds of steps that the platform brings along, by `type`. */
export const stepTypes: Readonly<Record<string, StepType>> = {
  agent: {
    summary: 'a run of the agent; its answer, as text or by the JSON Schema `output`',
    config: Type.Object(
      {
        agentId: Id,
        prompt: Type.String({ minLength: 1, maxLength: 100_000 }),
        sessionId: Type.Optional(Id),
        output: Type.Optional(JsonSchema),
        model: Type.Optional(Type.Object({ modelProvider: Id, modelId: Id }, closed))
      },
      closed
    ),
    raw: ['output'],
    texts: ['prompt'],
    schemas: ['output'],
    compensates: true
  },
  tool: {
    summary: 'a call of a tool (its name or id) that the agent has; what the tool gives',
    config: Type.Object(
      { agentId: Id, tool: Id, args: Type.Optional(Type.Object({}, { additionalProperties: true })) },
      closed
    ),
    compensates: true
  },
  condition: {
    summary: 'goes on with the steps that `then` or `else` names; true or false',
    config: Type.Object(
      { if: Type.Boolean(), then: Type.Optional(StepIds), else: Type.Optional(StepIds) },
      closed
    ),
    raw: ['then', 'else']
  },
  parallel: {
    summary: 'steps of its own, side by side; the outputs of the last of them, by id',
    config: Type.Object({ steps: Steps }, closed),
    raw: ['steps'],
    isContainer: true
  },
  forEach: {
    summary:
      'steps of its own for each of `items`, which they see as `item` and `index`; a list, of `output` for each',
    config: Type.Object(
      {
        items: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
        concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        steps: Steps,
        output: Type.Optional(Type.Unknown())
      },
      closed
    ),
    raw: ['steps', 'output'],
    isContainer: true
  },
  wait: {
    summary:
      'for one of `seconds`, `until` and `event`, where it may ask for a `key`, and for data by the JSON Schema `schema`; nothing, or the data of the event',
    config: Type.Object(
      {
        seconds: Type.Optional(Seconds(0)),
        until: Type.Optional(Type.String({ format: 'date-time' })),
        event: Type.Optional(Label),
        key: Type.Optional(Label),
        schema: Type.Optional(JsonSchema),
        timeoutSeconds: Type.Optional(Seconds(1))
      },
      closed
    ),
    raw: ['schema'],
    schemas: ['schema']
  },
  approval: {
    summary:
      'for decisions of the owner and `principals`, with data by the JSON Schema `form`; `approved`, `data`, `decisions`',
    config: Type.Object(
      {
        message: Type.String({ minLength: 1, maxLength: 10_000 }),
        principals: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100 })),
        count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        deadlineSeconds: Type.Optional(Seconds(1)),
        form: Type.Optional(JsonSchema),
        onReject: Type.Optional(Type.String())
      },
      closed
    ),
    raw: ['form', 'onReject'],
    texts: ['message'],
    schemas: ['form']
  },
  workflow: {
    summary: 'an execution of another workflow; its output',
    config: Type.Object({ workflowId: Id, input: Type.Optional(Type.Unknown()) }, closed),
    compensates: true
  },
  transform: {
    summary: 'the value',
    config: Type.Object({ value: Type.Unknown() }, closed),
    compensates: true
  }
}

/** Fields of `config`, as the OpenAPI document tells them: optional ones with a `?`. */
const fieldsOf = (config: { readonly properties: object; readonly required?: readonly string[] }): string =>
  Object.keys(config.properties)
    .map((name) => (config.required?.includes(name) ? name : `${name}?`))
    .join(', ')

/** Markdown: a line a kind, with the fields of its config, and what it gives. */
export const stepTypesInWords = Object.entries(stepTypes)
  .map(([type, { config, summary }]) => `- \`${type}\` \`{ ${fieldsOf(config)} }\`: ${summary}`)
  .join('\n')

/** What is known of a built-in kind; undefined for one that a pack brings. */
export const stepTypeOf = (type: string): StepType | undefined =>
  Object.hasOwn(stepTypes, type) ? stepTypes[type] : undefined
