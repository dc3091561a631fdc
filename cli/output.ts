import Table from 'cli-table3'
import type { Command } from 'commander'
import { Option } from 'commander'
import { isProjectScope, SCOPES } from '../kernel/identity/scopes.ts'
import { harmless } from '../process/terminal.ts'

/** What stands under each title: the text of one row. Nothing (`null`, `undefined`, '') becomes a dash. */
export type Columns<R> = Readonly<Record<string, (row: R) => unknown>>

/** How everything here is called, for help and hints. */
export const invocation = 'npm run -s platform --'

const out = (text: string) => void process.stdout.write(text)

/** Prints rows: a table for people, with `json` an array for programs and nothing else. */
export function show<R>(rows: readonly R[], columns: Columns<R>, json = false): void {
  if (json) {
    showJson(rows)
    return
  }
  const table = plainTable(Object.keys(columns))
  for (const row of rows) table.push(Object.values(columns).map((text) => cell(text(row))))
  print(table)
}

/** Prints one thing: a line for each of its columns, with `json` the thing itself. */
export function showOne<R>(row: R, columns: Columns<R>, json = false): void {
  if (json) {
    showJson(row)
    return
  }
  const table = plainTable()
  for (const [title, text] of Object.entries(columns)) table.push([title, cell(text(row))])
  print(table)
}

export const showJson = (value: unknown): void => out(`${JSON.stringify(value, null, 2)}\n`)

/** Prints one line, or with `json` the value. */
export const say = (line: string, value?: unknown, json = false): void =>
  json ? showJson(value) : out(`${line}\n`)

/** Tells people something beside the result. */
export const note = (line: string): void => void process.stderr.write(`${harmless(line)}\n`)

export const jsonOption = (): Option => new Option('--json', 'print only JSON')

/** A time of the API as people read it. */
export const when = (time: string | Date | null): string | null =>
  time === null ? null : new Date(time).toISOString().replace('T', ' ').slice(0, 19)

/** Scopes as people read them: all eight of a project are no news. */
export function inShort(scopes: readonly string[]): string {
  if (SCOPES.some((scope) => !scopes.includes(scope))) return scopes.join(' ')
  return ['all', ...scopes.filter((scope) => !isProjectScope(scope))].join(' ')
}

/** Says on a terminal what takes long, until it is done; elsewhere nothing. */
export async function during<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY) return work()
  stderr.write(`${what} …`)
  return work().finally(() => stderr.write('\r\u001b[K'))
}

/** Adds examples to a command's help. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  const shown = lines.map((line) => `  ${invocation} ${line}\n`).join('')
  return command.addHelpText('after', `\nExamples:\n${shown}`)
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  return harmless(text).replace(/\s+/g, ' ').trim() || '-'
}

function plainTable(head: readonly string[] = []) {
  const places = ['top', 'bottom', 'mid', 'left', 'right'] as const
  const ends = ['', '-mid', '-left', '-right'] as const
  const chars = Object.fromEntries([
    ...places.flatMap((at) => ends.map((end) => [at + end, ''])),
    ['middle', '  ']
  ])
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true }
  return new Table({ head: [...head], chars, style })
}

const print = (table: { toString(): string }): void =>
  out(
    table
      .toString()
      .split('\n')
      .map((line) => `${line.trimEnd()}\n`)
      .join('')
  )
