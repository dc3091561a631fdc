import type { Paging as PageQuery } from 'agent-platform'
import { Closed, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { IndexEntry, Skill } from './schemas/skills.ts'
import type { SkillService } from './services/skills.ts'

interface Deps {
  skillService: SkillService
}

const ReadParams = Closed({
  skillId: Type.String({ maxLength: 128, description: 'Its id or its slug' })
})

export const listCapability = ({ skillService }: Deps): Capability<PageQuery> => ({
  title: 'List skills',
  description: 'Names and descriptions of the skills that the caller can read, newest first, in pages',
  risk: 'low',
  reaches: 'Reads the names of the skills that you can read',
  params: Closed(Paging),
  result: Page(IndexEntry),
  idempotent: true,
  call: (by, page) => skillService.list(by, page)
})

export const readCapability = ({ skillService }: Deps): Capability<Static<typeof ReadParams>> => ({
  title: 'Read a skill',
  description: 'A skill with its instructions, without its files',
  risk: 'medium',
  reaches: 'Reads the skills that you can read, with their instructions',
  params: ReadParams,
  result: Type.Pick(Skill, ['id', 'slug', 'name', 'description', 'instructions', 'version']),
  idempotent: true,
  call: (by, { skillId }) => skillService.read(by, skillId)
})
