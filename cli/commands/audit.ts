import type { Client } from 'agent-platform-client'
import { Command } from 'commander'
import { chainFaults } from '../audit/verify.ts'
import { FAILED } from '../faults.ts'
import { urlOption, withPlatform } from '../operator.ts'
import { examples, jsonOption, note, say } from '../output.ts'

interface Options {
  readonly url?: string
  readonly json?: boolean
  readonly head?: string
}

const listEntries = (client: Client) => Array.fromAsync(client.list('/v1/audit', {}))

export function auditCommand(): Command {
  const audit = new Command('audit').description('Verify the audit log')
  examples(
    audit
      .command('verify')
      .description('Verify that no entry of the audit log was changed or removed')
      .option('--head <hash>', 'hash of an earlier check, which must still be in the chain')
      .addOption(jsonOption())
      .addOption(urlOption())
      .action(verify),
    'audit verify',
    'audit verify --head 6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b'
  )
  return audit
}

async function verify({ url, json, head }: Options): Promise<void> {
  const entries = await withPlatform({ ...(url && { url }), admin: true }, listEntries)
  const faults = [...chainFaults(entries.toReversed())]
  if (head !== undefined && !entries.some(({ hash }) => hash === head))
    faults.push(`no entry has the hash ${head}`)
  const [last] = entries
  if (faults.length === 0) {
    const told = last ? `, the last one has the hash ${last.hash}` : ''
    say(
      `${entries.length} entries are as they were logged${told}`,
      { valid: true, head: last?.hash ?? null },
      json
    )
    return
  }
  if (json) say('', { valid: false, faults }, true)
  for (const fault of faults.slice(0, 20)) note(fault)
  process.exitCode = FAILED
}
