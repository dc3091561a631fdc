import type { FormatInput, FormatPreview, FormatText } from '../contract.ts'
import { beginning } from '../results.ts'
import { decode } from './charset.ts'

/** What is longer is shown as it is written. */
const LAID_OUT = 1_048_576
const SHOWN = 100_000
const BROKEN = 'It is no valid JSON'

export function text(document: FormatInput): FormatText {
  const { text, warnings } = decode(document)
  return { text, warnings: [...warnings, ...(isJson(text) ? [] : [BROKEN])] }
}

export function preview(document: FormatInput): FormatPreview {
  const { text: whole, warnings } = decode(document)
  const laidOut =
    whole.length <= LAID_OUT && isJson(whole) ? JSON.stringify(JSON.parse(whole), null, 2) : whole
  const body = beginning(laidOut, SHOWN)
  return { mediaType: 'text/plain', body, truncated: body.length < laidOut.length, warnings }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
