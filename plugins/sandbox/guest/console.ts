export type Level = 'debug' | 'info' | 'warn' | 'error'

const LONGEST = 4_096

/** What goes to the log of a program. */
export function createConsole(log: (level: Level, text: string) => void) {
  const at =
    (level: Level) =>
    (...values: unknown[]): void =>
      log(level, values.map(shown).join(' ').slice(0, LONGEST))
  return { debug: at('debug'), log: at('info'), info: at('info'), warn: at('warn'), error: at('error') }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, LONGEST)
  if (value instanceof Error) return `${value.name}: ${value.message}`
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
