import type { Described } from './described.ts'

/** Packs that keep something of agents and put nothing of it into their archives, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  a2a: 'a publication is an address of this platform, with keys of its callers; their tasks are theirs',
  archives: 'what was exported before is a file of the owner’s already',
  credits: 'caps are in the money of this platform, and the ledger is a record of it',
  evaluations: 'experiments compare runs, which stay here; datasets belong to no agent',
  liaison: 'go-betweens speak for people of this platform, by tokens that people hold',
  observability: 'usage, traces and the audit log tell what happened here',
  openai: 'its conversations lie in sessions; what it keeps beside them are ids of calls',
  provenance: 'it proves what happened here, in bundles that are signed and portable themselves',
  runs: 'events and calls of runs tell what happened here; what was said lies in sessions',
  runtimes: 'a runtime is a program in the home of a computer, whose files go along; it is deployed anew',
  spaces: 'a room belongs to all that are in it',
  wallets: 'private keys never leave the platform, and what a wallet holds stays with it',
  webhooks: 'addresses are told of all that an owner has, and signed by secrets; what was told is told'
}

const EVENT = 'agents.deleted'

/** Whether it keeps something of agents: it lets go of it with them, or has it in a table. */
const keepsOfAgents = ({ manifest, tables }: Described): boolean =>
  manifest.cascade?.[EVENT] !== undefined ||
  manifest.on?.[EVENT] !== undefined ||
  tables.some(({ columns }) => columns.some(({ name }) => name === 'agentId'))

/** A pack that keeps something of agents has a part in their archives, or a reason to have none. */
export function archiveFaults(pack: Described): readonly string[] {
  const { name, manifest } = pack
  const hasPart = manifest.contributes?.['archives.part'] !== undefined
  const isLeftOut = Object.hasOwn(leftOut, name)
  if (hasPart && isLeftOut) return ['it is left out of archives, and has a part in them']
  if (isLeftOut && !keepsOfAgents(pack)) return ['it is left out of archives, and keeps nothing of agents']
  if (!hasPart && !isLeftOut && keepsOfAgents(pack))
    return [
      'it keeps something of agents, and neither contributes archives.part nor is left out with a reason'
    ]
  return []
}
