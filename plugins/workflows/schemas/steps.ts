import type { TObject } from 'typebox'
import { Type } from 'typebox'

const closed = { additionalProperties: false }
const Id = Type.String({ minLength: 1, maxLength: 200 })
const StepIds = Type.Array(Type.String(), { maxItems: 100, uniqueItems: true })
const Seconds = (minimum: number) => Type.Number({ minimum, maximum: 3_660 * 86_400 })
const JsonSchema = Type.Object({}, { additionalProperties: true })
/** Checked one by one, as those of the definition are. */
const Steps = Type.Array(Type.Unknown(), { minItems: 1, maxItems: 100 })

interface StepType {
  /** Of `config`. */
  readonly config: TObject
  /** Parts of it that hold no expressions. */
  readonly raw?: readonly string[]
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
    schemas: ['output'],
    compensates: true
  },
  tool: {
    config: Type.Object(
      { agentId: Id, tool: Id, args: Type.Optional(Type.Object({}, { additionalProperties: true })) },
      closed
    ),
    compensates: true
  },
  condition: {
    config: Type.Object(
      { if: Type.Boolean(), then: Type.Optional(StepIds), else: Type.Optional(StepIds) },
      closed
    ),
    raw: ['then', 'else']
  },
  parallel: { config: Type.Object({ steps: Steps }, closed), raw: ['steps'], isContainer: true },
  forEach: {
    config: Type.Object(
      {
        items: Type.Array(Type.Unknown()),
        concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        steps: Steps,
        output: Type.Optional(Type.Unknown())
      },
      closed
    ),
    raw: ['steps'],
    isContainer: true
  },
  wait: {
    config: Type.Object(
      {
        seconds: Type.Optional(Seconds(0)),
        until: Type.Optional(Type.String({ format: 'date-time' })),
        event: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        timeoutSeconds: Type.Optional(Seconds(1))
      },
      closed
    )
  },
  approval: {
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
    schemas: ['form']
  },
  workflow: {
    config: Type.Object({ workflowId: Id, input: Type.Optional(Type.Unknown()) }, closed),
    compensates: true
  },
  transform: { config: Type.Object({ value: Type.Unknown() }, closed), compensates: true }
}

/** What is known of a built-in kind; undefined for one that a pack brings. */
export const stepTypeOf = (type: string): StepType | undefined =>
  Object.hasOwn(stepTypes, type) ? stepTypes[type] : undefined
