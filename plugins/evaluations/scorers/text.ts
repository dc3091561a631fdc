import { examineValue, withoutFence } from 'agent-platform'
import type { ScorerOf } from '../schemas/scorers.ts'
import type { Scored, Verdict } from './scorer.ts'
import { unscored, yesNo } from './scorer.ts'

const MISSING = 'The item has no expected outcome'

const folded = (text: string, ignoreCase: boolean | undefined): string =>
  ignoreCase ? text.toLowerCase() : text

export function scoreExact({ ignoreCase }: ScorerOf<'exact'>, { row, output }: Scored): Verdict {
  if (row.expected === null) return unscored(MISSING)
  return yesNo(folded(output.trim(), ignoreCase) === folded(row.expected.trim(), ignoreCase))
}

export function scoreContains({ text, ignoreCase }: ScorerOf<'contains'>, { row, output }: Scored): Verdict {
  const wanted = text ?? row.expected?.trim() ?? null
  if (wanted === null) return unscored(MISSING)
  return yesNo(folded(output, ignoreCase).includes(folded(wanted, ignoreCase)))
}

/** Code fences around it do no harm. */
export async function scoreSchema(
  { schema }: ScorerOf<'json_schema'>,
  { by, output, signal }: Scored
): Promise<Verdict> {
  let value: unknown
  try {
    value = JSON.parse(withoutFence(output))
  } catch {
    return yesNo(false, 'It is not JSON')
  }
  const fault = await examineValue(by, schema, value, signal)
  return fault ? yesNo(false, `${fault.at || 'It'} ${fault.text}`) : yesNo(true)
}
