const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const isNumber = (text: string) => /^\d{1,2}$/.test(text)
const timeOf = (hour: string, minute: string) => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`

/** Expressions to begin with. */
export const suggestions = [
  '*/15 * * * *',
  '0 * * * *',
  '0 9 * * *',
  '0 9 * * 1-5',
  '0 9 * * 1',
  '0 9 1 * *'
] as const

/** A cron expression of five fields in words, or undefined where words would not be simpler. */
export function cronInWords(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  if (fields.length !== 5 || month !== '*') return undefined
  const isEachDay = day === '*' && weekday === '*'
  const every = /^\*\/(\d{1,2})$/.exec(minute)?.[1]
  if (isEachDay && hour === '*' && minute === '*') return 'Every minute'
  if (isEachDay && hour === '*' && every && 60 % Number(every) === 0) return `Every ${every} minutes`
  if (isEachDay && hour === '*' && isNumber(minute))
    return minute === '0' ? 'Every hour' : `Every hour, ${minute} minutes past`
  if (!isNumber(minute) || !isNumber(hour)) return undefined
  const at = `at ${timeOf(hour, minute)}`
  if (isEachDay) return `Every day ${at}`
  if (day === '*' && weekday === '1-5') return `Every weekday, Monday to Friday, ${at}`
  if (day === '*' && /^[0-7]$/.test(weekday)) return `Every ${days[Number(weekday)]} ${at}`
  if (weekday === '*' && isNumber(day)) return `On day ${day} of every month ${at}`
  return undefined
}
