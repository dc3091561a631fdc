import type { Kernel, Owned, Paging, Principal, Trx } from 'agent-platform'
import { forbidden, invalid, notFound, recordedEdits } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { NewSharedScope, SharedScope, SharedScopeChanges } from '../schemas/scopes.ts'
import { scopes } from '../schemas/scopes.ts'
import type { ScopeRow, ScopeStore } from '../stores/scopes.ts'
import type { AgentSettings } from './agent-settings.ts'

export type ScopeService = ReturnType<typeof createScopeService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  agentSettings: AgentSettings
  scopeStore: ScopeStore
}

/** What several agents know together: who reads it, and who writes. */
export function createScopeService(deps: Deps) {
  const { knex, transaction, facts, agents, agentSettings, scopeStore } = deps
  const names = { updated: 'memory.scope_updated', deleted: 'memory.scope_deleted' } as const
  const edits = recordedEdits({ transaction, facts }, scopes, names)

  async function create(by: Principal, input: NewSharedScope) {
    if (by.type === 'agent')
      throw forbidden('An agent does not decide who shares what it knows', { code: 'not_for_agents' })
    const { name, description = null, agents: members = [] } = input
    await check(by, members)
    const { project, owner } = by
    return transaction(async (trx) => {
      await keep(trx, project, members)
      const row = await scopes.insert(trx, { project, owner, name, description, agents: members })
      await facts.record(trx, 'memory.scope_created', by, { subject: row.id, owner, data: shown(row) })
      return row
    })
  }

  /** The principal that adds an agent may change it; those that are in it already were added by such a principal. */
  async function check(by: Principal, members: SharedScope['agents'], before: SharedScope['agents'] = []) {
    const known = new Set(before.map(({ agentId }) => agentId))
    const seen = new Set<string>()
    for (const [position, { agentId }] of members.entries()) {
      const param = `/agents/${position}/agentId`
      if (seen.has(agentId)) throw invalid(param, 'The agent is in the list already')
      seen.add(agentId)
      if (!known.has(agentId)) await agents.owned(by, agentId, 'change', param)
    }
  }

  /** Those agents cannot go in the middle: nothing would take them out of the list. */
  async function keep(trx: Trx, project: string, members: SharedScope['agents']) {
    const ids = members.map(({ agentId }) => agentId)
    if (ids.length > 0 && !(await agents.takeShare(trx, project, ids)))
      throw notFound('Agent', { param: '/agents' })
    for (const id of ids) agentSettings.changed(trx, project, id)
  }

  async function listOfAgent(by: Principal, agentId: string, page: Paging) {
    const { project } = await agents.owned(by, agentId, 'read')
    const { data, nextCursor } = await scopeStore.list(project, agentId, page)
    return { data: data.map((row) => ({ ...row, access: accessOf(row, agentId) ?? 'read' })), nextCursor }
  }

  /** Also for an agent that is in it. */
  async function read(by: Principal, id: string): Promise<ScopeRow> {
    const row = await scopes.find(knex, id)
    if (row && by.type === 'agent' && row.project === by.project && accessOf(row, by.id)) return row
    return scopes.owned(knex, by, id, 'read')
  }

  async function update(by: Principal, id: string, changes: SharedScopeChanges, version?: number) {
    const found = await scopes.owned(knex, by, id, 'change')
    const { agents: members } = changes
    if (!members) return edits.update(by, found, changes, version)
    await check(by, members, found.agents)
    const known = new Set(found.agents.map(({ agentId }) => agentId))
    return transaction(async (trx) => {
      await keep(
        trx,
        found.project,
        members.filter(({ agentId }) => !known.has(agentId))
      )
      const { row, isChanged } = await scopes.update(trx, found, changes, version)
      const data = shown(row)
      if (isChanged) await facts.record(trx, names.updated, by, { subject: id, owner: row.owner, data })
      return row
    })
  }

  const remove = async (by: Principal, id: string, version?: number) =>
    edits.remove(by, await scopes.owned(knex, by, id, 'change'), version)

  return { create, listOfAgent, read, update, remove }
}

const shown = ({ project: _, ...scope }: SharedScope & Owned): SharedScope => scope

export const accessOf = ({ agents }: SharedScope, agentId: string): 'read' | 'write' | undefined =>
  agents.find((member) => member.agentId === agentId)?.access
