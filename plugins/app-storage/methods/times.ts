const rfc3339 = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** A time as documents show it; undefined where that text is no date, nor a date and a time with their zone. */
export function parseTime(text: unknown): string | undefined {
  if (typeof text !== 'string' || !rfc3339.test(text)) return undefined
  const time = new Date(text)
  const shown = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  // A zone can lead out of the years that databases read.
  return /^(?!0000)\d{4}-/.test(shown) ? shown : undefined
}
