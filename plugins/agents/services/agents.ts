import type {
  FactDetails,
  Facts,
  Kernel,
  NewRow,
  Principal,
  Searching,
  Table,
  Trx,
  Verb
} from 'agent-platform'
import { notFound, owned, reachOwner } from 'agent-platform'
import type { Models } from '../../models/contract.ts'
import type { Agents, ChildRow } from '../contract.ts'
import type { AgentChanges, NewAgent } from '../schemas.ts'
import { agents } from '../schemas.ts'
import type { AgentStore } from '../stores/agents.ts'
import type { ConnectionStore } from '../stores/connections.ts'
import type { KnowledgebaseStore } from '../stores/knowledgebase.ts'
import { checkOptions } from './option-limits.ts'

export type AgentService = ReturnType<typeof createAgentService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'limits' | 'credentials'> {
  models: Models | undefined
  agentStore: AgentStore
  connectionStore: ConnectionStore
  knowledgebaseStore: KnowledgebaseStore
}

export function createAgentService(deps: Deps) {
  const { knex, transaction, facts, limits, credentials, models, agentStore } = deps

  async function create(by: Principal, input: NewAgent) {
    await checkOptions(by, input.options)
    return transaction((trx) => createWithin(trx, by, input))
  }

  function checkFallbacks(options: NewAgent['options']) {
    for (const [index, { modelProvider }] of (options?.fallbacks ?? []).entries())
      models?.checkProvider(modelProvider, `/options/fallbacks/${index}/modelProvider`)
  }

  /** `id`: one that was noted before. */
  async function createWithin(trx: Trx, by: Principal, input: NewAgent, id?: string) {
    if (input.modelProvider != null) models?.checkProvider(input.modelProvider, '/modelProvider')
    checkFallbacks(input.options)
    return insert(trx, by, input, id)
  }

  async function insert(trx: Trx, by: Principal, input: NewAgent, id?: string) {
    const { project, owner } = by
    const agent = await agents.insert(trx, { ...(id !== undefined && { id }), ...input, project, owner })
    await facts.record(trx, 'agents.created', by, { subject: agent.id, owner, data: agent })
    return agent
  }

  async function ensure(by: Principal, input: NewAgent & { name: string }) {
    const known = await agentStore.findNamed(by, input.name)
    if (known) return known
    return transaction(async (trx) => {
      await agentStore.takeName(trx, by, input.name)
      return (await agentStore.findNamed(by, input.name, trx)) ?? insert(trx, by, input)
    })
  }

  async function list(by: Principal, { owner, ...page }: Searching & { owner?: string }) {
    if (owner !== undefined) reachOwner(by, owner, 'owner')
    return agents.list(knex, by, page, { owner })
  }

  const find = async (by: Principal, id: string, verb: Verb, param?: string) => {
    const agent = owned(by, await agents.find(knex, id), 'Agent', verb, {
      ...(param !== undefined && { param })
    })
    await limits.agent(by, id)
    return agent
  }

  async function update(by: Principal, id: string, changes: AgentChanges, version?: number) {
    const found = await find(by, id, 'change')
    const { modelProvider } = changes
    await checkOptions(by, changes.options)
    checkFallbacks(changes.options)
    // One that is gone may be sent back.
    if (modelProvider != null && modelProvider !== found.modelProvider)
      models?.checkProvider(modelProvider, '/modelProvider')
    return transaction(async (trx) => {
      const { row, isChanged } = await agents.update(trx, found, changes, version)
      if (isChanged)
        await facts.record(trx, 'agents.updated', by, { subject: id, owner: row.owner, data: row })
      return row
    })
  }

  const setAvatar: Agents['setAvatar'] = async (trx, by, { project, id }, avatar) => {
    const { row, isChanged } = await agents.update(trx, { project, id }, { avatar })
    if (isChanged) await facts.record(trx, 'agents.updated', by, { subject: id, owner: row.owner, data: row })
  }

  /** 404 from then on; what is kept for it follows by the cascades of those who keep it. */
  async function remove(by: Principal, id: string, version?: number) {
    const { project, owner } = await find(by, id, 'change')
    await transaction(async (trx) => {
      await agentStore.removeSoftly(trx, { project, id }, version)
      await deps.connectionStore.removeOfAgent(trx, project, id)
      await deps.knowledgebaseStore.removeOfAgent(trx, project, id)
      await facts.record(trx, 'agents.deleted', by, { subject: id, owner, data: { id } })
    })
    await credentials.revokePrincipal(project, id)
  }

  async function createChild<R extends ChildRow>(
    by: Principal,
    table: Table<R>,
    input: Omit<NewRow<R>, 'project' | 'owner'> & { agentId: string },
    fact: keyof Facts & string
  ): Promise<R> {
    const { project, owner } = await find(by, input.agentId, 'change', '/agentId')
    return transaction(async (trx) => {
      const isThere = await agentStore.takeShare(trx, project, [input.agentId])
      if (!isThere) throw notFound('Agent', { param: '/agentId' })
      const row = await table.insert(trx, { ...input, project, owner } as unknown as NewRow<R>)
      await facts.record(trx, fact, by, { subject: row.id, owner, data: row } as FactDetails<never>)
      return row
    })
  }

  return {
    create,
    createWithin,
    createChild,
    ensure,
    list,
    owned: find satisfies Agents['owned'],
    update,
    setAvatar,
    remove
  }
}
