import type { FormatInput, FormatPreview, FormatText } from '../contract.ts'
import { beginning } from '../results.ts'
import { decode } from './charset.ts'

/** What of a text is shown. */
const SHOWN = 100_000

export const text = (document: FormatInput): FormatText => decode(document)

export function preview(document: FormatInput): FormatPreview {
  const { text: whole, warnings } = decode(document)
  const body = beginning(whole, SHOWN)
  return { mediaType: 'text/plain', body, truncated: body.length < whole.length, warnings }
}
