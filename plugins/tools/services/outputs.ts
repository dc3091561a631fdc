import type { Redactor } from '../redaction/redactor.ts'
import { textOf } from '../redaction/redactor.ts'
import type { ToolSettings } from '../settings.ts'

export interface Fitted {
  /** What its caller gets. */
  readonly given: unknown
  /** Characters of all, as JSON. */
  readonly size: number
  /** The whole, as far as it is stored with the record; null for a short one. */
  readonly kept: string | null
  /** Whether it is too large for a program; `given` then says so. */
  readonly isTooLarge: boolean
}

type Limits = Pick<ToolSettings, 'toolOutputCharacters' | 'toolOutputKept'>

/**
 * An output, redacted and within the limits. A model gets the beginning and the end of a long one, as text that says how
 * much is missing; a program gets the whole up to `toolOutputKept` characters, and a failure beyond. An output that is not JSON
 * is null.
 */
export async function fit(
  output: unknown,
  redactor: Redactor,
  limits: Limits,
  isForModel: boolean
): Promise<Fitted> {
  const { toolOutputCharacters, toolOutputKept } = limits
  const text = await redactor.cleanInTurns(output, textOf(output))
  const size = text.length
  const kept = size <= toolOutputCharacters ? null : text.slice(0, toolOutputKept).toWellFormed()
  if (kept === null || (!isForModel && size <= toolOutputKept))
    return { given: typeof output === 'string' ? text : JSON.parse(text), size, kept, isTooLarge: false }
  if (!isForModel) {
    const most = Math.max(toolOutputCharacters, toolOutputKept)
    const given = `The tool was called, and its output of ${size} characters is too large: at most ${most} can be returned (TOOL_OUTPUT_KEPT)`
    return { given, size, kept, isTooLarge: true }
  }
  const given = headAndTail(text, toolOutputCharacters)
  return { given, size, kept, isTooLarge: false }
}

/** Share of the room that the beginning gets; errors and totals are often at the end. */
const HEAD = 0.7

function headAndTail(text: string, room: number): string {
  const head = Math.ceil(room * HEAD)
  const tail = text.slice(text.length - (room - head))
  const left = text.length - room
  return `${text.slice(0, head)}\n[${left} of ${text.length} characters are left out]\n${tail}`.toWellFormed()
}
