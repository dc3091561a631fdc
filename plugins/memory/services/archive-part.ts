import type { Kernel } from 'agent-platform'
import { Closed, insufficientStorage, invalid, newId, notFound, OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Agents } from '../../agents/contract.ts'
import type { ArchivePart, Importing } from '../../archives/contract.ts'
import type { Retrieval } from '../../retrieval/contract.ts'
import { AgentMemorySettings } from '../schemas/agent-settings.ts'
import { Memory, memories } from '../schemas/memories.ts'
import type { MemorySettings } from '../settings.ts'
import type { MemoryRow, MemoryStore } from '../stores/memories.ts'
import type { AgentSettings } from './agent-settings.ts'
import { checkTimes, entryOf, factOf, momentOf } from './writing.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: MemorySettings
  agents: Agents
  retrieval: Retrieval
  agentSettings: AgentSettings
  memoryStore: MemoryStore
}

const { type, content, importance, validFrom, validTo, untrusted } = Memory.properties
const { contextTokens, extraction } = AgentMemorySettings.properties
const id = Type.String({ maxLength: 100 })
const Settings = Closed({ contextTokens, extraction })
const Remembered = Closed({
  id,
  type,
  content,
  importance,
  validFrom,
  validTo,
  supersedes: OrNull(id),
  supersededBy: OrNull(id),
  untrusted
})
type Remembered = Static<typeof Remembered>

const PAGE = 500
const BATCH = 50

/** What the agent's owner had it remember, with what is not so any more. What is another owner's, or shared, is not the agent's to take along. */
export function createArchivePart(deps: Deps): ArchivePart {
  const { knex, transaction, facts, settings, agents, retrieval, agentSettings, memoryStore } = deps
  const columns = Object.keys(Remembered.properties)

  /** The new id of a memory that may come later. */
  function idFor({ idOf, map }: Importing, before: string): string {
    const known = idOf(before)
    if (known) return known
    const now = newId('memory')
    map(before, now)
    return now
  }

  function rowOf(into: Importing, memory: Remembered) {
    const { by, agentId, isTrusted } = into
    const { supersedes, supersededBy, ...about } = memory
    const row = {
      ...about,
      id: idFor(into, memory.id),
      project: by.project,
      owner: by.owner,
      agentId,
      validFrom: momentOf(memory.validFrom),
      validTo: memory.validTo === null ? null : momentOf(memory.validTo),
      source: null,
      scopeId: null,
      supersedes: supersedes === null ? null : idFor(into, supersedes),
      supersededBy: supersededBy === null ? null : idFor(into, supersededBy),
      untrusted: memory.untrusted || !isTrusted,
      callId: null
    }
    checkTimes(row)
    return row
  }

  const insert = ({ by, agentId }: Importing, rows: readonly ReturnType<typeof rowOf>[]) =>
    transaction(async (trx) => {
      const { project, owner } = by
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      const most = settings.memories
      if ((await memoryStore.countUpTo(trx, project, agentId, most)) + rows.length > most)
        throw insufficientStorage(`An agent has at most ${most} memories`, { code: 'memory_full' })
      for (const row of rows) {
        const made: MemoryRow = await memories.insert(trx, row)
        await retrieval.put(trx, made, 'memory.memory', [entryOf(made)])
        await facts.record(trx, 'memory.created', by, { subject: made.id, owner, data: factOf(made) })
      }
      agentSettings.changed(trx, project, agentId)
    })

  return {
    version: 1,
    what: 'what it remembers, also what is not so any more',
    records: { settings: Settings, memory: Remembered },

    async *export({ agent: { project, owner, id: agentId } }) {
      const { version, contextTokens, extraction } = await agentSettings.find(project, agentId)
      if (version > 0) yield { kind: 'settings', data: { contextTokens, extraction } }
      for (let after = ''; ; ) {
        const rows: Remembered[] = await knex(memories.name)
          .where({ project, agentId, owner, scopeId: null })
          .where('id', '>', after)
          .orderBy('id')
          .limit(PAGE)
          .select(columns)
        for (const data of rows) yield { kind: 'memory', data }
        const last = rows.at(-1)
        if (!last) return
        after = last.id
      }
    },

    async import(into, records) {
      const seen = new Set<string>()
      let rows: ReturnType<typeof rowOf>[] = []
      for await (const { kind, data } of records) {
        if (kind === 'settings') {
          await agentSettings.update(into.by, into.agentId, data as Static<typeof Settings>)
          continue
        }
        const row = rowOf(into, data as Remembered)
        if (seen.has(row.id)) throw invalid('/fileId', 'The archive has a memory twice', 'archive_invalid')
        seen.add(row.id)
        rows.push(row)
        if (rows.length < BATCH) continue
        await insert(into, rows)
        rows = []
      }
      if (rows.length > 0) await insert(into, rows)
    }
  }
}
