import type { Kernel, Paging, Principal } from 'agent-platform'
import { afterCommit, invalid, newId, notFound, unavailable } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import type { Liaison, LiaisonChanges, NewLiaison } from '../schemas/liaisons.ts'
import { liaisons, outsiders } from '../schemas/liaisons.ts'
import type { LiaisonSettings } from '../settings.ts'
import type { LiaisonRow, LiaisonStore } from '../stores/liaisons.ts'
import type { OutsiderStore } from '../stores/outsiders.ts'
import { makeToken } from '../tokens.ts'

export type LiaisonService = ReturnType<typeof createLiaisonService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'remembered'> {
  settings: LiaisonSettings
  agents: Agents
  tools: Tools | undefined
  liaisonStore: LiaisonStore
  outsiderStore: OutsiderStore
}

/** A signal may be lost: for so long something old may be believed. */
const BELIEVE_MS = 30_000

/** Liaisons as their owners have them. */
export function createLiaisonService(deps: Deps) {
  const { knex, transaction, facts, settings, agents, tools, liaisonStore, outsiderStore } = deps
  const known = deps.remembered(
    'liaison.agent',
    (key) => {
      const [project, agentId] = key.split('/') as [string, string]
      return liaisonStore.findOfAgent(project, agentId)
    },
    BELIEVE_MS
  )

  async function create(by: Principal, input: NewLiaison) {
    const { standsFor, modelProvider = null, modelId = null, tools: wanted = [], ...rest } = input
    refusePast(rest.expiresAt)
    const whom = await named(by, standsFor)
    if (wanted.length > 0 && !tools)
      throw unavailable('Tools are not taken: tools is not installed or off', { code: 'tools_off' })
    const assign = await tools?.prepareAssignments(
      by,
      wanted.map(({ toolId, policy = 'ask' }) => ({ toolId, policy })),
      '/tools'
    )
    const id = newId('liaison')
    const { token, hash: tokenHash } = makeToken(id)
    const row = await transaction(async (trx) => {
      const { project, owner } = by
      const { id: agentId, ...agent } = await agents.create(trx, by, {
        name: rest.name,
        modelProvider,
        modelId
      })
      await assign?.(trx, { ...agent, id: agentId })
      const made = {
        id,
        project,
        owner,
        agentId,
        standsFor: whom,
        dailyMessages: settings.dailyMessages,
        ...rest
      }
      const row = await liaisons.insert(trx, { ...made, tokenHash } as typeof made)
      await facts.record(trx, 'liaison.created', by, { subject: row.id, owner, data: told(row) })
      afterCommit(trx, () => known.changed(`${project}/${agentId}`))
      return row
    })
    return { ...shown(row), token }
  }

  /** Whom it stands for, by the name that outsiders are told. */
  async function named(
    by: Principal,
    { type, name, agentId }: NewLiaison['standsFor']
  ): Promise<Liaison['standsFor']> {
    if (type === 'person') {
      if (agentId !== undefined)
        throw invalid(
          '/standsFor/agentId',
          '/standsFor/agentId is allowed only when /standsFor/type is agent'
        )
      if (name === undefined)
        throw invalid('/standsFor/name', '/standsFor/name is required when /standsFor/type is person')
      return { type, name, agentId: null }
    }
    if (agentId === undefined)
      throw invalid('/standsFor/agentId', '/standsFor/agentId is required when /standsFor/type is agent')
    const agent = await agents.owned(by, agentId, 'change', '/standsFor/agentId')
    return { type, name: name ?? agent.name, agentId }
  }

  async function list(by: Principal, page: Paging) {
    const { data, nextCursor } = await liaisons.list(knex, by, page)
    return { data: data.map(shown), nextCursor }
  }

  const read = async (by: Principal, id: string) => shown(await liaisons.owned(knex, by, id, 'read'))

  async function update(by: Principal, id: string, changes: LiaisonChanges, version?: number) {
    const found = await liaisons.owned(knex, by, id, 'change')
    if (changes.expiresAt !== found.expiresAt) refusePast(changes.expiresAt)
    return transaction(async (trx) => {
      const { row, isChanged } = await liaisons.update(trx, found, changes, version)
      const { project, owner, agentId } = row
      if (isChanged) await facts.record(trx, 'liaison.updated', by, { subject: id, owner, data: told(row) })
      afterCommit(trx, () => known.changed(`${project}/${agentId}`))
      return shown(row)
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await liaisons.owned(knex, by, id, 'change')
    const { project, owner, agentId } = found
    await transaction(async (trx) => {
      await liaisons.remove(trx, found, version)
      await facts.record(trx, 'liaison.deleted', by, { subject: id, owner, data: { id } })
      afterCommit(trx, () => known.changed(`${project}/${agentId}`))
    })
    return { id, deleted: true as const }
  }

  async function rotate(by: Principal, id: string) {
    const found = await liaisons.owned(knex, by, id, 'change')
    const { token, hash } = makeToken(found.id)
    return transaction(async (trx) => {
      const row = await liaisons.lock(trx, found)
      await liaisonStore.replaceToken(trx, row, hash)
      await facts.record(trx, 'liaison.token_rotated', by, { subject: id, owner: row.owner, data: { id } })
      return { ...shown(row), token }
    })
  }

  async function listOutsiders(by: Principal, id: string, page: Paging) {
    const { project } = await liaisons.owned(knex, by, id, 'read')
    return outsiderStore.list(project, id, page)
  }

  async function block(by: Principal, id: string, outsiderId: string, blocked: boolean, version?: number) {
    await liaisons.owned(knex, by, id, 'change')
    const found = await outsiders.find(knex, outsiderId)
    if (found?.liaisonId !== id) throw notFound('Outsider')
    return transaction(async (trx) => {
      const { blockedAt } = await outsiders.lock(trx, found)
      const wanted = blocked ? (blockedAt ?? new Date().toISOString()) : null
      const { row, isChanged } = await outsiders.update(trx, found, { blockedAt: wanted }, version)
      const name = blocked ? 'liaison.outsider_blocked' : 'liaison.outsider_unblocked'
      const data = { id: outsiderId, liaisonId: id }
      if (isChanged) await facts.record(trx, name, by, { subject: id, owner: row.owner, data })
      return row
    })
  }

  return {
    create,
    list,
    read,
    update,
    remove,
    rotate,
    listOutsiders,
    block,
    /** The liaison that this agent is, from memory as a rule. */
    ofAgent: (project: string, agentId: string) => known.of(`${project}/${agentId}`),
    close: () => known[Symbol.dispose]()
  }
}

function refusePast(expiresAt: string | null | undefined): void {
  if (expiresAt != null && Date.parse(expiresAt) <= Date.now())
    throw invalid('/expiresAt', 'expiresAt must lie in the future')
}

export const isExpired = ({ expiresAt }: LiaisonRow): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()

const shown = ({ project: _, ...row }: LiaisonRow): Liaison => ({
  ...row,
  status: isExpired({ project: _, ...row }) ? 'expired' : 'open'
})
/** What facts tell: neither what it knows nor what it is for. */
const told = ({ project: _, mayTell, purpose, ...row }: LiaisonRow) => row
