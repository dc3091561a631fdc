import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { harmless } from '../../process/terminal.ts'
import { FAILED } from '../faults.ts'
import { examples, jsonOption, note, say } from '../output.ts'
import type { Anchor, Anchored } from '../provenance/anchor.ts'
import { askChain, unanchored } from '../provenance/anchor.ts'
import { verifyBundle } from '../provenance/verify.ts'

export function provenanceCommand(): Command {
  const provenance = new Command('provenance').description('Verify the provenance of answers')
  examples(
    provenance
      .command('verify')
      .description(
        'Verify a provenance bundle with a public key, offline. Lists all errors, and what was not checked'
      )
      .argument('<bundle>', 'file with the response of GET /v1/provenance/traces/:traceId/bundle')
      .requiredOption('--key <file>', 'file with the trusted public key, in PEM format')
      .option('--rpc <url>', 'URL of a JSON-RPC server of the chain, to verify the anchor')
      .addOption(jsonOption())
      .action(check),
    'provenance verify bundle.json --key key.pem',
    'provenance verify bundle.json --key key.pem --rpc https://ethereum-rpc.publicnode.com'
  )
  return provenance
}

interface Options {
  readonly key: string
  readonly rpc?: string
  readonly json?: boolean
}

async function check(path: string, { key, rpc, json }: Options): Promise<void> {
  const verdict = verifyBundle(await readFile(path, 'utf8'), await readFile(key, 'utf8'))
  const { about, anchor } = verdict
  const faults = [...verdict.faults]
  let anchored: Anchored | undefined
  if (rpc !== undefined && about && faults.length === 0) {
    const found = anchor ? await askChain(anchor, rpc) : unanchored('It has no anchor')
    if ('code' in found) faults.push(found)
    else anchored = found
  }
  const shownAnchor = anchor && {
    anchor: {
      chainId: anchor.chainId,
      transaction: anchor.transaction,
      checked: anchored !== undefined,
      ...anchored
    }
  }
  if (faults.length > 0 || !about) {
    if (json) say('', { valid: false, faults, ...about, ...shownAnchor }, true)
    for (const { code, message } of faults) note(`${code}: ${message}`)
    process.exitCode = FAILED
    return
  }
  const items = about.items === about.of ? `all ${about.of} items` : `${about.items} of ${about.of} items`
  say(
    harmless(`${about.scope}: the signature is right, and so are ${items}${wordsOf(anchor, anchored)}`),
    { valid: true, ...about, ...shownAnchor },
    json
  )
}

/** What is known of its anchor, and what is not. */
function wordsOf(anchor: Anchor | undefined, anchored: Anchored | undefined): string {
  if (!anchor) return ''
  const { chainId, transaction } = anchor
  if (!anchored)
    return `\nIts anchor is said to be the transaction ${transaction} of chain ${chainId}, which was not looked at: --rpc does`
  const { block, at, from, blocks } = anchored
  return `\nIt was there by ${at}: block ${block} of chain ${chainId} has it, in ${transaction} from ${from}, under ${blocks} block${blocks === 1 ? '' : 's'}`
}
