import { styleText } from 'node:util'

const WARNING = 40
const names: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' }

/** Without what would move the cursor or colour the terminal: names, answers and errors may hold anything. */
export const harmless = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
const inLine = (text: string): string => harmless(text).replaceAll(/\s+/g, ' ')

interface Line {
  readonly level: number
  readonly msg?: string
  readonly pack?: string
  readonly reason?: string
  readonly err?: { readonly message?: string; readonly code?: unknown; readonly stack?: string }
}

/**
 * Where the log goes on a developer's terminal: a line of words instead of JSON. While the platform starts only
 * what went wrong is shown; afterwards everything but requests that went well.
 */
export function createTerminal(out: (text: string) => void) {
  let settled = false
  return {
    write(json: string): void {
      const line = JSON.parse(json) as Line
      if (line.level >= WARNING || (settled && line.msg !== 'request')) out(`${shown(line)}\n`)
    },
    /** From now on information is shown, too. */
    settle(): void {
      settled = true
    }
  }
}

function shown({ level, msg = '', pack, reason, err }: Line): string {
  const name = names[level]
  const head = name ? `${styleText(level > WARNING ? 'red' : 'yellow', `${name}:`)} ` : ''
  const said = [pack && `${pack}:`, msg].filter(Boolean).join(' ')
  const why = reason ?? (err?.message || err?.code)
  const where = level > WARNING ? err?.stack?.split('\n').filter((line) => /^\s+at /.test(line)) : undefined
  return [head + inLine(`${said}${why ? `: ${why}` : ''}`), ...(where ?? []).map(harmless)].join('\n')
}
