import { availableParallelism, cpus, totalmem } from 'node:os'
import { database } from '../database.ts'
import type { Row } from './row.ts'
import { withScope } from './scope.ts'

/** Where it was measured. */
export const machine = (): Promise<string> =>
  withScope(async (scope) => {
    const { knex } = await database(scope)
    const { rows } = await knex.raw('show server_version')
    const model = cpus()[0]?.model.trim() ?? process.arch
    const memory = Math.round(totalmem() / 2 ** 30)
    return `${availableParallelism()} cores (${model}), ${memory} GB, Node ${process.version}, PostgreSQL ${rows[0].server_version}`
  })

/** The rows as a table that reads in a terminal and in Markdown alike. */
export function table(rows: readonly Row[]): string {
  const lines = [
    ['what', 'reach', 'measured', ''],
    ...rows.map(({ what, reach, measured, met }) => [what, reach, measured, met ? 'reached' : 'missed'])
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  const text = lines.map(
    (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  )
  text.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  return text.join('\n')
}
