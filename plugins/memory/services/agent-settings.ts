import type { Kernel, Principal, Trx } from 'agent-platform'
import { afterCommit, forbidden, notFound, preconditionFailed } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { AgentMemorySettings, AgentMemorySettingsChanges } from '../schemas/agent-settings.ts'
import type { MemorySettings } from '../settings.ts'
import type { AgentStore } from '../stores/agents.ts'

export type AgentSettings = ReturnType<typeof createAgentSettings>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'remembered'> {
  settings: MemorySettings
  agents: Agents
  agentStore: AgentStore
}

/** A signal may be lost: for so long something old may be believed. */
const BELIEVE_MS = 30_000

/** How each agent remembers, and whether it has anything to remember: of most agents runs need to know no more. */
export function createAgentSettings(deps: Deps) {
  const { transaction, facts, settings, agents, agentStore } = deps
  const known = deps.remembered(
    'memory.agent',
    async (key) => {
      const [project, agentId] = key.split('/') as [string, string]
      const { contextTokens } = await find(project, agentId)
      return { contextTokens, hasAny: contextTokens > 0 && (await agentStore.findAny(project, agentId)) }
    },
    BELIEVE_MS
  )

  async function find(project: string, agentId: string): Promise<AgentMemorySettings> {
    const kept = await agentStore.find(project, agentId)
    return { agentId, ...(kept ?? before()) }
  }
  const before = () => ({
    contextTokens: settings.contextTokens,
    extraction: false,
    version: 0,
    updatedAt: null
  })

  async function read(by: Principal, agentId: string): Promise<AgentMemorySettings> {
    const { project } = await agents.owned(by, agentId, 'read')
    return find(project, agentId)
  }

  async function update(
    by: Principal,
    agentId: string,
    changes: AgentMemorySettingsChanges,
    version?: number
  ) {
    const { project, owner } = await agents.owned(by, agentId, 'change')
    if (by.type === 'agent' && changes.extraction)
      throw forbidden('An agent does not decide what is kept of its conversations', {
        code: 'not_for_agents'
      })
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      const now = (await agentStore.lock(trx, project, agentId)) ?? before()
      if (version !== undefined && version !== now.version)
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
        )
      const { contextTokens = now.contextTokens, extraction = now.extraction } = changes
      if (contextTokens === now.contextTokens && extraction === now.extraction) return { agentId, ...now }
      const next = { contextTokens, extraction, version: now.version + 1 }
      const row = { agentId, ...(await agentStore.replace(trx, project, agentId, next)) }
      await facts.record(trx, 'memory.settings_updated', by, { subject: agentId, owner, data: row })
      changed(trx, project, agentId)
      return row
    })
  }

  /** After the commit runs ask anew. */
  const changed = (trx: Trx, project: string, agentId: string) =>
    afterCommit(trx, () => known.changed(`${project}/${agentId}`))

  return {
    find,
    read,
    update,
    changed,
    /** As runs need it, from memory as a rule. */
    glance: (project: string, agentId: string) => known.of(`${project}/${agentId}`),
    close: () => known[Symbol.dispose]()
  }
}
