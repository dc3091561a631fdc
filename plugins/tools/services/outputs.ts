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

/** An output within the limits: JSON as it is, or of too much the beginning, as text. */
export function fit(output: unknown, { toolOutputCharacters: most, toolOutputKept }: Limits): Fitted {
  const text = typeof output === 'string' ? output : jsonOf(output)
  const clean = text.replaceAll('\0', '').toWellFormed()
  if (clean.length <= most)
    return {
      given: typeof output === 'string' ? clean : JSON.parse(text, withoutNul),
      size: text.length,
      kept: null
    }
  const given = `${clean.slice(0, most).toWellFormed()}\n[${clean.length - most} characters more]`
  return { given, size: text.length, kept: clean.slice(0, toolOutputKept).toWellFormed() }
}

/** No text of PostgreSQL holds it. */
const withoutNul = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value

/** What is no JSON is told as nothing. */
function jsonOf(output: unknown): string {
  try {
    return JSON.stringify(output) ?? 'null'
  } catch {
    return 'null'
  }
}
