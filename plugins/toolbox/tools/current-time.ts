import type { StaticTool } from '../../tools/contract.ts'

const description = `The current date and time in a time zone, with the parts of it, the offset from UTC and \
seconds since 1970.`

const parameters = {
  type: 'object',
  properties: {
    timezone: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      default: 'UTC',
      description: 'IANA name, such as Europe/Rome'
    }
  },
  additionalProperties: false
}

export function createCurrentTime(): StaticTool {
  return {
    description,
    parameters,
    idempotent: true,
    tokens: 'hosts',
    async call({ args }) {
      const { timezone = 'UTC' } = args as { timezone?: string }
      const clock = clockOf(timezone)
      if (!clock) return { output: `There is no time zone ${JSON.stringify(timezone)}`, isError: true }
      return { output: partsOf(clock, new Date()) }
    }
  }
}

function clockOf(timeZone: string): Intl.DateTimeFormat | undefined {
  // Offsets are taken by Intl as well, but are no zones: they know no summer time.
  if (!/^[A-Za-z]/.test(timeZone)) return undefined
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset'
    })
  } catch {
    return undefined
  }
}

function partsOf(clock: Intl.DateTimeFormat, now: Date) {
  const parts = Object.fromEntries(clock.formatToParts(now).map(({ type, value }) => [type, value]))
  const { year, month, day, hour, minute, second, weekday, timeZoneName = 'GMT' } = parts
  const offset = timeZoneName.replace(/^(?:GMT|UTC)/, '') || '+00:00'
  const [date, time] = [`${year}-${month}-${day}`, `${hour}:${minute}:${second}`]
  return {
    timezone: clock.resolvedOptions().timeZone,
    iso: `${date}T${time}${offset}`,
    utc: now.toISOString(),
    unix: Math.floor(now.getTime() / 1_000),
    offset,
    weekday,
    date,
    time
  }
}
