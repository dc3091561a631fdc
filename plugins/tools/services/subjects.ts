import type { Principal } from 'agent-platform'
import { forbidden, invalid, notFound, subjectOf } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { EffectiveSubjects, Subject } from '../subjects.ts'
import { subjectsOfAgent, subjectsOfProject, subjectsOfService, subjectsOfUser } from '../subjects.ts'

export type SubjectService = ReturnType<typeof createSubjectService>

interface Deps {
  agents: Agents
}

const outOfReach = (what: string, param: string) => forbidden(what, { param, code: 'not_owner' })

/** Subjects of permissions as a request names them. */
export function createSubjectService({ agents }: Deps) {
  /** Of any agent of the principal's project; 404 or 403 at `param` for another. */
  async function ownerOf({ project }: Principal, agentId: string, param: string): Promise<string> {
    const known = await agents.afresh(agentId)
    if (!known) throw notFound('Agent', { param })
    if (known.agent.project !== project) throw outOfReach('You do not have access to this agent', param)
    return known.agent.owner
  }

  /** The subject of a query; undefined where it names none. */
  function given({ subjectType, subjectId }: Partial<Subject>): Subject | undefined {
    if (subjectType === undefined && subjectId === undefined) return undefined
    if (subjectType === undefined) throw invalid('subjectType', 'subjectType is required with subjectId')
    if (subjectId === undefined) throw invalid('subjectId', 'subjectId is required with subjectType')
    return { subjectType, subjectId }
  }

  /** 403 unless the principal may see all that the subject was granted: it is the subject, owns it, or is of its project. */
  async function checkReach(by: Principal, { subjectType, subjectId }: Subject): Promise<void> {
    const own = subjectOf(by)
    if (own.subjectType === subjectType && own.subjectId === subjectId) return
    if (subjectType === 'agent') {
      await agents.owned(by, subjectId, 'read', 'subjectId')
      return
    }
    const isIts = subjectType === 'project' && subjectId === by.project
    const seesIt =
      by.type === 'service' && (!by.initiator || (subjectType === 'service' && subjectId === by.id))
    if (!isIts && !(seesIt && subjectType !== 'project'))
      throw outOfReach('That subject is out of reach', 'subjectId')
  }

  async function effective(by: Principal, { subjectType, subjectId }: Subject): Promise<EffectiveSubjects> {
    const { project } = by
    switch (subjectType) {
      case 'user':
        return subjectsOfUser(project, subjectId)
      case 'service':
        return subjectsOfService(project)
      case 'agent':
        return subjectsOfAgent(project, subjectId, await ownerOf(by, subjectId, 'subjectId'))
      case 'project':
        if (subjectId !== project) throw outOfReach('No principal crosses projects', 'subjectId')
        return subjectsOfProject(project)
    }
  }

  return { given, ownerOf, checkReach, effective }
}
