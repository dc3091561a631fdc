import type { Redactor } from '../redaction/redactor.ts'
import { textOf } from '../redaction/redactor.ts'
import type { ToolSettings } from '../settings.ts'

export interface Fitted {
  /** What its caller gets. */
  readonly given: unknown
  /** Characters of all, as JSON. */
  readonly size: number
  /** The whole, as far as it is kept; null where the caller was given all. */
  readonly kept: string | null
}

type Limits = Pick<ToolSettings, 'toolOutputCharacters' | 'toolOutputKept'>

/**
 * An output, redacted and within the limits: JSON as it is, or of too much the beginning, as text. What is no JSON is
 * null.
 */
export async function fit(output: unknown, redactor: Redactor, limits: Limits): Promise<Fitted> {
  const { toolOutputCharacters: most, toolOutputKept } = limits
  const text = await redactor.cleanInTurns(output, textOf(output))
  const size = text.length
  if (size <= most) return { given: typeof output === 'string' ? text : JSON.parse(text), size, kept: null }
  const given = `${text.slice(0, most).toWellFormed()}\n[${size - most} characters more]`
  return { given, size, kept: text.slice(0, toolOutputKept).toWellFormed() }
}
