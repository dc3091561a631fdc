import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { harmless } from '../../process/terminal.ts'
import { FAILED } from '../faults.ts'
import { examples, jsonOption, note, say } from '../output.ts'
import { verifyBundle } from '../provenance/verify.ts'

export function provenanceCommand(): Command {
  const provenance = new Command('provenance').description('What answers were made of')
  examples(
    provenance
      .command('verify')
      .description('Check a bundle by a public key, without a platform: what is wrong is named')
      .argument('<bundle>', 'the file, as GET /v1/provenance/traces/:traceId/bundle answers')
      .requiredOption('--key <file>', 'the key that is trusted, in PEM')
      .addOption(jsonOption())
      .action(check),
    'provenance verify bundle.json --key key.pem'
  )
  return provenance
}

async function check(path: string, { key, json }: { key: string; json?: boolean }): Promise<void> {
  const { faults, about } = verifyBundle(await readFile(path, 'utf8'), await readFile(key, 'utf8'))
  if (faults.length === 0 && about) {
    const shown = about.items === about.of ? `all ${about.of} items` : `${about.items} of ${about.of} items`
    say(
      harmless(`${about.scope}: the signature is right, and so are ${shown}`),
      { valid: true, ...about },
      json
    )
    return
  }
  if (json) say('', { valid: false, faults, ...about }, true)
  for (const { code, message } of faults) note(`${code}: ${message}`)
  process.exitCode = FAILED
}
