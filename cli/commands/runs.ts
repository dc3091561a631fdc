import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { harmless } from '../../process/terminal.ts'
import { examples } from '../output.ts'
import { replay } from '../provenance/replay.ts'
import { verifyBundle } from '../provenance/verify.ts'

export function runsCommand(): Command {
  const runs = new Command('runs').description('Replay completed runs')
  examples(
    runs
      .command('replay')
      .description('Print the events of a run, from the recorded responses of its model and tools')
      .argument('<bundle>', 'file with the provenance bundle of a run in mode `full`')
      .requiredOption('--key <file>', 'file with the trusted public key, in PEM format')
      .action(print),
    'runs replay bundle.json --key key.pem'
  )
  return runs
}

async function print(path: string, { key }: { key: string }): Promise<void> {
  const text = await readFile(path, 'utf8')
  const [fault] = verifyBundle(text, await readFile(key, 'utf8')).faults
  if (fault) throw new Error(`${fault.code}: ${fault.message}`)
  const parsed = JSON.parse(text)
  const replayed = replay((parsed.data ?? parsed).items)
  if (replayed.length === 0) throw new Error('It holds no events: the provenance of the run was not `full`')
  const other = replayed.find(({ isSame }) => !isSame)
  if (other) throw new Error(`The events of ${other.runId} are not those that were signed`)
  // A terminal would obey what is in it; a file has it byte by byte.
  for (const { log } of replayed) process.stdout.write(`${process.stdout.isTTY ? harmless(log) : log}\n`)
}
