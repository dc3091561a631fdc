import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, forbidden, invalid, newId, owned, typeOfId } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Transfer, Transferred } from '../schemas/permissions.ts'
import type { GrantableTool } from '../stores/authorization.ts'
import type { MappingStore } from '../stores/mappings.ts'
import type { PermissionStore } from '../stores/permissions.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { Subject } from '../subjects.ts'
import type { Authorization } from './authorization.ts'

export type TransferService = ReturnType<typeof createTransferService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'points'> {
  agents: Agents
  authorization: Authorization
  permissionStore: PermissionStore
  toolStore: ToolStore
  mappingStore: MappingStore
}

const named = (name: string): Subject[] => [
  { subjectType: 'user', subjectId: name },
  { subjectType: 'service', subjectId: name }
]

export function createTransferService(deps: Deps) {
  const { transaction, facts, points, agents, authorization, permissionStore, toolStore, mappingStore } = deps

  /** A tool gets another owner. The former one keeps neither grants nor those of its agents, nor keys in it. */
  async function transfer(by: Principal, input: Transfer): Promise<Transferred> {
    const { newOwner, keepUse = false } = input
    if (typeOfId(newOwner) === 'agent') throw invalid('/newOwner', 'Tools are of users and services')
    const { id, tool } = await authorization.resolve(by, input.toolId, '/toolId')
    if (!tool) throw forbidden('A static tool is everyone’s', { param: '/toolId', code: 'static_tool' })
    owned(by, tool, 'Tool', 'change', { param: '/toolId' })
    // Owners of agents stay what they are. Asked for within the transaction, each would take a second connection.
    const owners = await ownersOf(await permissionStore.listAgents(tool.project, id))
    return transaction(async (trx) => {
      const taken = await toolStore.lock(trx, tool.project, id)
      const before = owned(by, taken, 'Tool', 'change', { param: '/toolId' })
      const { project, owner: formerOwner } = before
      if (isKept(before)) throw conflict('The tool is kept by its pack', { code: 'kept_by_pack' })
      if (formerOwner === newOwner) throw conflict('The tool is theirs already', { code: 'already_owner' })

      const subjects = [...named(formerOwner), ...named(newOwner), ...(await agentsOf(trx, before, owners))]
      const dropped = await permissionStore.removeOfSubjects(trx, project, id, subjects)
      for (const data of dropped)
        await facts.record(trx, 'tools.revoked', by, { subject: id, owner: formerOwner, data })
      const mappingsDropped = await mappingStore.removeOfOwner(trx, project, id, formerOwner)
      await toolStore.update(trx, { project, id }, { owner: newOwner })
      await permissionStore.updateOwner(trx, { project, owner: newOwner }, id)
      if (keepUse) await keep(trx, by, before, newOwner)
      const data = { id, from: formerOwner, to: newOwner, mappingsDropped }
      await facts.record(trx, 'tools.transferred', by, { subject: id, owner: newOwner, data })
      const permissionsDropped = dropped.length
      return { id, owner: newOwner, formerOwner, mappingsDropped, permissionsDropped }
    })
  }

  /** Its pack would write it anew, with its owner. */
  const isKept = ({ kind }: GrantableTool) =>
    !points.all('tools.kind').find(({ key }) => key === kind)?.value.check

  async function ownersOf(
    agentIds: readonly string[],
    known: ReadonlyMap<string, string | undefined> = new Map()
  ) {
    const owners = new Map(known)
    for (const id of agentIds) if (!owners.has(id)) owners.set(id, (await agents.afresh(id))?.agent.owner)
    return owners
  }

  /** Those of the tool's owner that were granted it, also since `known` was found. */
  async function agentsOf(
    trx: Trx,
    { project, id, owner }: GrantableTool,
    known: ReadonlyMap<string, string | undefined>
  ): Promise<Subject[]> {
    const granted = await permissionStore.listAgents(project, id, trx)
    const owners = await ownersOf(granted, known)
    return granted.flatMap((subjectId) =>
      owners.get(subjectId) === owner ? [{ subjectType: 'agent' as const, subjectId }] : []
    )
  }

  async function keep(
    trx: Trx,
    by: Principal,
    { project, id: toolId, owner: subjectId }: GrantableTool,
    owner: string
  ) {
    const subjectType = by.type === 'service' && by.id === subjectId ? 'service' : 'user'
    const row = { id: newId('perm'), project, owner, toolId, subjectType, subjectId, level: 'use' } as const
    for (const { isNew, ...data } of await permissionStore.insert(trx, [{ ...row, grantedBy: by.owner }]))
      await facts.record(trx, 'tools.granted', by, { subject: toolId, owner, data })
  }

  return { transfer }
}
