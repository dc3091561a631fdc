import type { CallToolResult } from '@modelcontextprotocol/server'
import { failureTypes } from 'agent-platform'

/** What a tool gave, for a model and for a program. */
export function resultOf(output: unknown, isError: boolean): CallToolResult {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? null)
  const isObject = typeof output === 'object' && output !== null && !Array.isArray(output)
  return {
    content: [{ type: 'text', text }],
    ...(isObject && { structuredContent: output as Record<string, unknown> }),
    ...(isError && { isError: true })
  }
}

/** What the platform refused: a result, so that a model sees it; undefined for what is not for callers. */
export function refusalOf(error: unknown): CallToolResult | undefined {
  if (!(error instanceof Error) || !('kind' in error)) return undefined
  if (!Object.hasOwn(failureTypes, String(error.kind)) || error.kind === 'internal') return undefined
  const { type, status } = failureTypes[error.kind as keyof typeof failureTypes]
  const { code } = error as { code?: unknown }
  const { message } = error
  return {
    content: [{ type: 'text', text: message }],
    structuredContent: { error: { type, status, message, ...(typeof code === 'string' && { code }) } },
    isError: true
  }
}
