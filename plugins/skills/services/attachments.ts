import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { SkillSettings } from '../settings.ts'
import type { AttachmentStore } from '../stores/attachments.ts'
import type { SkillStore } from '../stores/skills.ts'
import type { GivenSkills } from './given-skills.ts'
import type { SkillService } from './skills.ts'

export type AttachmentService = ReturnType<typeof createAttachmentService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: SkillSettings
  agents: Agents
  skillStore: SkillStore
  attachmentStore: AttachmentStore
  skillService: SkillService
  givenSkills: GivenSkills
}

export function createAttachmentService(deps: Deps) {
  const { transaction, facts, settings, agents, skillStore, attachmentStore, skillService, givenSkills } =
    deps

  async function list(by: Principal, agentId: string, page: Paging) {
    await agents.owned(by, agentId, 'read')
    return skillStore.list(by, page, agentId)
  }

  async function listAgents(by: Principal, idOrSlug: string, page: Paging) {
    const { id } = await skillService.find(by, idOrSlug, 'read')
    const { data, nextCursor } = await attachmentStore.listReached(by, id, page)
    return { data: data.map(({ skillId, agentId }) => ({ skillId, agentId, attached: true })), nextCursor }
  }

  async function index(by: Principal, { agentId, ...page }: Paging & { agentId?: string | undefined }) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    return skillStore.listEntries(by, page, agentId)
  }

  /** By a principal that may change the agent and read the skill; 409 where the agent has as many as it may have. */
  async function set(by: Principal, idOrSlug: string, agentId: string, attached: boolean) {
    const { id: skillId } = await skillService.find(by, idOrSlug, 'read')
    const { project, owner } = await agents.owned(by, agentId, 'change')
    const data = { skillId, agentId }
    await transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      await attachmentStore.lockAgent(trx, project, agentId)
      const isChanged = attached
        ? await attachmentStore.insert(trx, { project, owner, ...data })
        : await attachmentStore.remove(trx, { project, ...data })
      if (!isChanged) return
      if (attached && (await attachmentStore.count(trx, project, agentId)) > settings.skillsOfAgent)
        throw conflict(`An agent has at most ${settings.skillsOfAgent} skills`, { code: 'too_many_skills' })
      const fact = attached ? 'skills.attached' : 'skills.detached'
      await facts.record(trx, fact, by, { subject: agentId, owner, data })
    })
    givenSkills.changed(project, agentId)
    return { ...data, attached }
  }

  return { list, listAgents, index, set }
}
