import type { SkillSummary } from './schemas/skills.ts'

/** Neither instructions nor files. */
export type { SkillSummary }

declare module 'agent-platform' {
  interface Facts {
    'skills.created': SkillSummary
    'skills.updated': SkillSummary
    'skills.deleted': { id: string }
    /** Their subject is the agent. */
    'skills.attached': { skillId: string; agentId: string }
    'skills.detached': { skillId: string; agentId: string }
  }
}
