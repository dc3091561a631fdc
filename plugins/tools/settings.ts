import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ToolSettings = Type.Object({
  toolSeconds: Type.Integer({
    env: 'TOOL_SECONDS',
    minimum: 1,
    maximum: 600,
    default: 60,
    description: 'Seconds that one call of a tool may take; tools may ask for fewer'
  }),
  toolOutputCharacters: Type.Integer({
    env: 'TOOL_OUTPUT_CHARACTERS',
    minimum: 100,
    maximum: 10_000_000,
    default: 50_000,
    description: 'Maximum number of characters of a tool output that a model is given; a longer one is cut'
  }),
  toolOutputKept: Type.Integer({
    env: 'TOOL_OUTPUT_KEPT',
    minimum: 0,
    maximum: 67_108_864,
    default: 4_194_304,
    description:
      'Maximum number of characters of a tool output that programs (workflows, apps, API clients) are given, and that are stored with the record of the call'
  }),
  toolCallDays: Type.Integer({
    env: 'TOOL_CALL_DAYS',
    minimum: 1,
    maximum: 36_500,
    default: 90,
    description: 'Days for which records of calls are kept'
  })
})
export type ToolSettings = Static<typeof ToolSettings>
