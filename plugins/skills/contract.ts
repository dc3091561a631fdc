import type { SkillSummary } from './schemas/skills.ts'

/** Neither instructions nor files. */
export type { SkillSummary }

/** What an agent was given, as others may be told. */
export interface GivenSkill {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
}

export interface Skills {
  /** By slug. Nobody's rights are asked for. */
  givenTo(project: string, agentId: string): Promise<readonly GivenSkill[]>
}

declare module 'agent-platform' {
  interface Services {
    skills: Skills
  }
  interface Facts {
    'skills.created': SkillSummary
    'skills.updated': SkillSummary
    'skills.deleted': { id: string }
    /** Their subject is the agent. */
    'skills.attached': { skillId: string; agentId: string }
    'skills.detached': { skillId: string; agentId: string }
  }
}
