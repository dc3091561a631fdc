import { AppError } from '../errors.ts'

/** As hosts by this package call themselves. */
export const HOST_NAME = 'agent-platform'

/** As MCP has what a tool gives. */
export interface ToolResult {
  [name: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** What was asked for, as a result of a tool. */
export function resultOf(data: unknown): ToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(data ?? null) }]
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  return isObject ? { content, structuredContent: data as Record<string, unknown> } : { content }
}

/** What was refused. */
export function failureOf(error: unknown): ToolResult {
  const { code, type, message } = Object(error) as { code?: unknown; type?: unknown; message?: unknown }
  const told = { code: String(code ?? type ?? 'failed'), message: String(message ?? error) }
  return {
    content: [{ type: 'text', text: told.message }],
    structuredContent: { error: told },
    isError: true
  }
}

/** The same from the other side. Hosts of others have errors without a code: `failed`. */
export function answerOf(result: {
  content?: unknown
  structuredContent?: unknown
  isError?: boolean
}): unknown {
  const { structuredContent, isError } = result
  const [first] = (Array.isArray(result.content) ? result.content : []) as { text?: string }[]
  if (isError) {
    const { error } = Object(structuredContent) as { error?: { code?: string; message?: string } }
    throw new AppError(error?.code ?? 'failed', error?.message ?? first?.text ?? 'The call failed')
  }
  if (structuredContent !== undefined) return structuredContent
  try {
    return JSON.parse(first?.text ?? 'null')
  } catch {
    return first?.text
  }
}
