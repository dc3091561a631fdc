import type { Kernel, Principal, Trx } from 'agent-platform'
import type { Tools } from '../../tools/contract.ts'
import type { Connection } from '../connections/connection.ts'
import type { Discovered } from '../connections/lists.ts'
import { discover } from '../connections/lists.ts'
import { inTurns } from '../connections/turns.ts'
import { digestOf } from '../naming.ts'
import type { McpSettings } from '../settings.ts'
import type { ResourcePromptStore } from '../stores/resources-prompts.ts'
import type { ServerRow, ServerStore } from '../stores/servers.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { DiscoveredTools, Examined } from './discovered-tools.ts'

export type Discovery = ReturnType<typeof createDiscovery>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: McpSettings
  tools: Tools
  discoveredTools: DiscoveredTools
  serverStore: ServerStore
  toolStore: ToolStore
  resourcePromptStore: ResourcePromptStore
}

export interface Synced {
  readonly tools: number
  readonly resources: number
  readonly prompts: number
  readonly added: number
  readonly changed: number
  readonly approved: number
  readonly gone: number
  readonly pending: number
  readonly refused: readonly string[]
  readonly lastSyncAt: string
}

/** Tools that are written in one transaction: neither its locks nor its connection are held for long. */
const BATCH = 64

/** Finds out what a server offers, and keeps it. */
export function createDiscovery(deps: Deps) {
  const { transaction, facts, settings, tools, discoveredTools, serverStore, toolStore } = deps

  /**
   * What is there at the first discovery is what the server's owner wanted; of the rest each is approved by its own.
   * Everything is read, and every schema examined, before anything is written; what was written of a discovery that
   * did not come to its end is as the next one finds it.
   */
  async function sync(
    by: Principal,
    server: ServerRow,
    connection: Connection,
    { approve = false }: { approve?: boolean | undefined } = {}
  ): Promise<Synced> {
    const ends = AbortSignal.timeout(settings.mcpConnectSeconds * 1_000)
    const found = await discover(connection, server.name, settings.mcpConnectSeconds)
    const refused = [...found.refused]
    const examined = await examine(server, found, refused, ends)
    const counts = { added: 0, changed: 0, approved: 0, gone: 0, pending: 0 }
    const add = (more: Partial<typeof counts>) => {
      for (const [name, count] of Object.entries(more)) counts[name as keyof typeof counts] += count
    }
    for (let from = 0; from < examined.length; from += BATCH) {
      const batch = examined.slice(from, from + BATCH)
      const kept = await ofSame(server, (trx, current) =>
        discoveredTools.keep(trx, by, current, batch, approve || current.lastSyncAt === null)
      )
      if (!kept) return { ...nothing, refused, lastSyncAt: new Date().toISOString() }
      add(kept)
    }
    const lastSyncAt = new Date().toISOString()
    const names = new Set(examined.map(({ definition }) => definition.name))
    await ofSame(server, async (trx, current) => {
      add({ gone: await discoveredTools.markGone(trx, by, current, names) })
      await finish(trx, by, current, found, { counts, lastSyncAt })
    })
    const { resources, prompts } = found
    const totals = { tools: examined.length, resources: resources.length, prompts: prompts.length }
    return { ...totals, ...counts, refused, lastSyncAt }
  }

  /** Undefined where the server was edited meanwhile: what was found is of something else. */
  const ofSame = <T>(server: ServerRow, work: (trx: Trx, current: ServerRow) => Promise<T>) =>
    transaction(async (trx) => {
      const current = await serverStore.take(trx, server)
      return current.generation === server.generation ? work(trx, current) : undefined
    })

  /** With what is wrong with their schemas, where they are not known; the rest of them were examined before. */
  async function examine(
    server: ServerRow,
    { tools: all }: Discovered,
    refused: string[],
    ends: AbortSignal
  ) {
    const known = await toolStore.listDigests(server.project, server.id)
    const examined: Examined[] = []
    for await (const definition of inTurns(all)) {
      const digest = digestOf(definition)
      if (known.has(digest)) {
        examined.push({ definition, digest, fault: known.get(digest) ?? null })
        continue
      }
      const [fault = null] = await tools.examine(server, [definition.inputSchema], ends)
      if (ends.aborted) refused.push(`${definition.name}: its parameters could not be checked in time`)
      else examined.push({ definition, digest, fault })
    }
    return examined
  }

  async function finish(
    trx: Trx,
    by: Principal,
    { id, project, owner, generation }: ServerRow,
    { resources, prompts }: Discovered,
    { counts, lastSyncAt }: { counts: Pick<Synced, 'added' | 'changed' | 'gone'>; lastSyncAt: string }
  ) {
    const of = { project, owner, serverId: id }
    await deps.resourcePromptStore.replace(trx, 'resource', of, resources)
    await deps.resourcePromptStore.replace(trx, 'prompt', of, prompts)
    await serverStore.updateNoted({ project, id, generation }, { lastSyncAt }, { on: trx })
    const { added, changed, gone } = counts
    if (added + changed + gone === 0) return
    const data = { id, added, changed, gone }
    await facts.record(trx, 'mcp.server_synced', by, { subject: id, owner, data })
  }

  return { sync }
}

const nothing = {
  tools: 0,
  resources: 0,
  prompts: 0,
  added: 0,
  changed: 0,
  approved: 0,
  gone: 0,
  pending: 0
}
