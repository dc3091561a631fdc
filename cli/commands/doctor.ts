import { Command } from 'commander'
import { harmless } from '../../process/terminal.ts'
import type { Examined } from '../doctor/examine.ts'
import { examine } from '../doctor/examine.ts'
import { FAILED } from '../faults.ts'
import { unlessInterrupted } from '../interruption.ts'
import { refuseUrl, urlOption } from '../operator.ts'
import { examples, jsonOption, say, showJson } from '../output.ts'

export function doctorCommand(): Command {
  return examples(
    new Command('doctor')
      .description(
        'Check the machine, the database and the settings, and print how to fix problems. Changes nothing; ' +
          'exits with 1 if there is a problem'
      )
      .addOption(jsonOption())
      .addOption(urlOption().hideHelp())
      .action(diagnose),
    'doctor',
    'doctor --json'
  )
}

async function diagnose({ url, json }: { url?: string; json?: boolean }): Promise<void> {
  refuseUrl({ url }, 'doctor')
  const checks = await unlessInterrupted(examine(process.env))
  const of = (status: Examined['status']) => checks.filter((it) => it.status === status).length
  const [problems, warnings] = [of('problem'), of('warning')]
  if (json) showJson({ problems, warnings, checks })
  else {
    const width = Math.max(...checks.map(({ check }) => check.length))
    for (const row of checks) say(lines(row, width))
    say(`\n${total(problems, 'problem')}, ${total(warnings, 'warning')}`)
  }
  if (problems > 0) process.exitCode = FAILED
}

/** What to do stands under what was found: a table of four columns is wider than a terminal. */
function lines(row: Examined, width: number): string {
  const found = `${row.status.padEnd(7)}  ${row.check.padEnd(width)}  ${line(row.found)}`
  return row.status === 'ok' ? found : `${found}\n${' '.repeat(9 + width + 2)}→ ${line(row.advice)}`
}

const line = (text: string): string => harmless(text).replace(/\s+/g, ' ').trim()
const total = (number: number, of: string): string => `${number} ${of}${number === 1 ? '' : 's'}`
