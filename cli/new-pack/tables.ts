/**
 * Puts the columns of Markdown tables below each other again, and lists of shapes in their order, after the
 * names in them have changed: a `surface.md` is compared letter by letter.
 */
export function arrange(text: string): string {
  return text
    .replaceAll(/^(\|.*\n)+/gm, (table) => aligned(table.trimEnd().split('\n')))
    .replaceAll(/^(- \*\*.*\n)+/gm, (shapes) => `${shapes.trimEnd().split('\n').sort().join('\n')}\n`)
}

function aligned(lines: readonly string[]): string {
  const rows = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
  )
  const widths = rows[0]?.map((_, at) => Math.max(3, ...rows.map((row) => width(row[at])))) ?? []
  return rows.map((row) => `| ${row.map((cell, at) => padded(cell, widths[at])).join(' | ')} |\n`).join('')
}

const isRule = (cell: string) => /^-+$/.test(cell)
const width = (cell = '') => (isRule(cell) ? 0 : cell.length)
const padded = (cell: string, width = 0) => (isRule(cell) ? '-'.repeat(width) : cell.padEnd(width))
