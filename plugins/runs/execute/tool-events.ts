import type { EventInput } from 'agent-platform'
import type { CallRow } from '../stores/steps.ts'
import type { Answer } from './reply-collector.ts'

/** The event that marks the text before tool calls as commentary instead of the answer. */
export const commentaryOf = (step: number, { said }: Answer): EventInput[] =>
  said ? [{ type: 'status', fields: { status: 'commentary', step, covers: said } }] : []

/** The events at the start of a tool call. */
export function beginningOf({ id: callId, toolName, args, callerDeadline }: CallRow): EventInput[] {
  const start = { type: 'toolStart', fields: { callId, toolName, args } }
  if (callerDeadline === null) return [start]
  return [start, { type: 'cli_tool_request', fields: { ...start.fields, deadline: callerDeadline } }]
}

/** The event at the end of a tool call. */
export const endOf = ({ id: callId, toolName, output, isError }: CallRow): EventInput => ({
  type: 'toolEnd',
  fields: { callId, toolName, output: output ?? null, isError }
})
