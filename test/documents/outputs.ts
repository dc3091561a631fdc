/** Stands for whatever is another one each time: within a line for a part of it, alone for any lines. */
const ANYTHING = '…'

/** Whether an output is the one that the document shows. */
export function matchesText(shown: string, output: string): boolean {
  return new RegExp(`^${patternOf(shown)}$`).test(tidy(output))
}

/** Where in the output all that the document shows has come, line by line, others between them; undefined: not yet. */
export function findLines(shown: string, output: string): number | undefined {
  const lines = shown.trimEnd().split('\n').map(patternOf)
  const found = new RegExp(`^${lines.join('$(?:\\n.*)*?\\n^')}$`, 'm').exec(output)
  return found ? found.index + found[0].length : undefined
}

const tidy = (text: string) =>
  text
    .replaceAll('\r', '')
    .replaceAll(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '')

function patternOf(shown: string): string {
  const lines = tidy(shown).split('\n')
  const within = (line: string) => line.split(ANYTHING).map(escaped).join('.*')
  const anyLines = '(?:.*\\n)*?.*'
  return lines.map((line) => (line === ANYTHING && lines.length > 1 ? anyLines : within(line))).join('\\n')
}
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Whether an output is that JSON, however it is laid out; `"…": "…"` stands for any further properties. */
export function matchesJson(shown: string, output: string): boolean {
  let found: unknown
  try {
    found = JSON.parse(output)
  } catch {
    return false
  }
  return matches(JSON.parse(shown), found)
}

function matches(shown: unknown, found: unknown): boolean {
  if (shown === ANYTHING) return true
  if (typeof shown === 'string') return typeof found === 'string' && matchesText(shown, found)
  if (shown === null || typeof shown !== 'object') return shown === found
  if (found === null || typeof found !== 'object' || Array.isArray(shown) !== Array.isArray(found))
    return false
  const { [ANYTHING]: others, ...wanted } = shown as Record<string, unknown>
  const given = found as Record<string, unknown>
  const isWhole = others !== undefined || Object.keys(given).length === Object.keys(wanted).length
  return isWhole && Object.entries(wanted).every(([key, value]) => key in given && matches(value, given[key]))
}
