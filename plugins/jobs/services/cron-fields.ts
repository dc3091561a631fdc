/** Why an expression is not valid, to be read behind its name. */
export class CronError extends Error {}

/** Days of a month, in order. `month` counts from 0. */
export type CronDays = (year: number, month: number) => readonly number[]

/** What the five fields mean. */
export interface CronFields {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: CronDays
}

interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}
/** Weekdays of a month by their place: the third Monday, the last Friday. */
interface Nth {
  readonly weekday: number
  readonly nth: number | 'last'
}

const LONGEST = 200
/** Characters of an expression in a message. */
const SHOWN = 40
const EXAMPLE = 'such as 0 9 * * 1-5'
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MINUTE: Field = { name: 'minute', min: 0, max: 59 }
const HOUR: Field = { name: 'hour', min: 0, max: 23 }
const DAY: Field = { name: 'day of the month', min: 1, max: 31 }
const MONTH: Field = { name: 'month', min: 1, max: 12, names: ['', ...months] }
/** 7 is Sunday, too. */
const WEEKDAY: Field = { name: 'day of the week', min: 0, max: 7, names: weekdays }
const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *'
}

/**
 * Parses a cron expression as crontab(5) describes it: five fields separated by white space, or a nickname such as
 * `@daily`. In addition `?` is `*`, `L` is the last day of the month, `5L` or `FRIL` the last Friday, and `1#2` or `MON#2` the second
 * Monday. Throws a `CronError` that names the field and what it accepts.
 */
export function parseCron(cron: string): CronFields {
  if (cron.length > LONGEST) throw new CronError(`it has more than ${LONGEST} characters`)
  const text = cron.trim().toLowerCase()
  if (text.startsWith('@') && !Object.hasOwn(nicknames, text))
    throw new CronError(`"${text.slice(0, SHOWN)}" is not one of ${Object.keys(nicknames).join(', ')}`)
  const fields = (nicknames[text] ?? text).split(/\s+/)
  if (fields.length === 6)
    throw new CronError(`it has six fields. Seconds and years are not accepted: use five fields, ${EXAMPLE}`)
  if (fields.length !== 5 || text === '') throw new CronError(`it must have five fields, ${EXAMPLE}`)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  const [minutes, hours] = [valuesOf(minute, MINUTE), valuesOf(hour, HOUR)]
  return { minutes, hours, days: daysOf(day, weekday, new Set(valuesOf(month, MONTH))) }
}

function daysOf(day: string, weekday: string, months: ReadonlySet<number>): CronDays {
  const isLastDay = day.split(',').includes('l')
  const dayItems = day.split(',').filter((item) => item !== 'l')
  const monthDays = new Set(dayItems.length > 0 ? valuesOf(dayItems.join(), DAY) : [])
  const nths = weekday.split(',').flatMap((item) => nthOf(item) ?? [])
  const weekItems = weekday.split(',').filter((item) => !nthOf(item))
  const weekDays = new Set(
    (weekItems.length > 0 ? valuesOf(weekItems.join(), WEEKDAY) : []).map((it) => it % 7)
  )
  // As in crontab(5): where both are restricted, a day that fits one of them is enough.
  const isEither = !isWildcard(day) && !isWildcard(weekday)

  return (year, month) => {
    if (!months.has(month + 1)) return []
    const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    const firstWeekday = new Date(Date.UTC(year, month, 1)).getUTCDay()
    return Array.from({ length }, (_, index) => index + 1).filter((date) => {
      const dateFits = monthDays.has(date) || (isLastDay && date === length)
      const on = (firstWeekday + date - 1) % 7
      const weekdayFits =
        weekDays.has(on) ||
        nths.some(
          ({ weekday, nth }) =>
            weekday === on && (nth === 'last' ? date + 7 > length : Math.ceil(date / 7) === nth)
        )
      return isEither ? dateFits || weekdayFits : dateFits && weekdayFits
    })
  }
}

/** `1#2`, `mon#2`, `5l`, `fril`; undefined for anything else. */
function nthOf(item: string): Nth | undefined {
  const [name = '', nth, ...more] = item.split('#')
  if (nth !== undefined) {
    const count = numberOf(nth)
    if (more.length > 0 || count === undefined || count < 1 || count > 5)
      throw new CronError(`"${shown(item)}" is not a valid day of the week: # must be followed by 1 to 5`)
    return { weekday: numberIn(name, WEEKDAY) % 7, nth: count }
  }
  if (!item.endsWith('l')) return undefined
  if (item === 'l')
    throw new CronError(
      '"L" is not a valid day of the week: put a day before it, such as 5L for the last Friday'
    )
  return { weekday: numberIn(item.slice(0, -1), WEEKDAY) % 7, nth: 'last' }
}

const isWildcard = (text: string) => text === '*' || text === '?'

/** In order, each once. */
function valuesOf(text: string, field: Field): number[] {
  const all = new Set(text.split(',').flatMap((item) => rangeOf(item, field)))
  return [...all].sort((a, b) => a - b)
}

/** `*`, `5`, `1-5`, each with or without a step. */
function rangeOf(item: string, field: Field): number[] {
  const [range = '', stepText, ...more] = item.split('/')
  const step = stepText === undefined ? 1 : numberOf(stepText)
  if (more.length > 0 || step === undefined || step < 1)
    throw new CronError(
      `"${shown(item)}" is not a valid ${field.name}: / must be followed by a number from 1`
    )
  const [from, to] = boundsOf(range, field, stepText !== undefined)
  const values: number[] = []
  for (let value = from; value <= to; value += step) values.push(value)
  return values
}

function boundsOf(range: string, field: Field, hasStep: boolean): [number, number] {
  // Sunday once.
  const last = field === WEEKDAY ? 6 : field.max
  if (isWildcard(range)) return [field.min, last]
  const [first = '', second, ...more] = range.split('-')
  if (more.length > 0) throw new CronError(`"${shown(range)}" is not a valid range for the ${field.name}`)
  const from = numberIn(first, field)
  if (second === undefined) return [from, hasStep ? Math.max(from, last) : from]
  const end = numberIn(second, field)
  const to = field === WEEKDAY && end === 0 && from > 0 ? 7 : end
  if (from > to)
    throw new CronError(
      `"${shown(range)}" is not a valid range for the ${field.name}: its start is after its end. Use two ranges separated by a comma`
    )
  return [from, to]
}

function numberIn(text: string, field: Field): number {
  const named = text === '' ? -1 : (field.names?.indexOf(text) ?? -1)
  const value = named >= 0 ? named : numberOf(text)
  if (value !== undefined && value >= field.min && value <= field.max) return value
  const [first = '', last = ''] = [field.names?.[field.min], field.names?.at(-1)]
  const names = field.names ? ` or ${shown(first)} to ${shown(last)}` : ''
  throw new CronError(
    `"${shown(text)}" is not a valid ${field.name} (${field.min} to ${field.max}${names})${hintOf(text)}`
  )
}

function hintOf(text: string): string {
  if (text.includes('w')) return '. W (the nearest weekday) is not supported'
  if (/^h\b/.test(text)) return '. H (a value by hash) is not supported'
  return ''
}

const numberOf = (text: string): number | undefined => (/^\d{1,3}$/.test(text) ? Number(text) : undefined)

const shown = (text: string) => text.toUpperCase().slice(0, SHOWN)
