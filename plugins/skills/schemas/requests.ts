import { Data, Deleted, Page, Paging, Searching } from 'agent-platform'
import { Type } from 'typebox'
import { IndexEntry, NewSkill, Skill, SkillChanges, SkillSummary } from './skills.ts'

const tags = ['skills']
const params = Type.Object({ id: Type.String({ description: 'Its id or its slug' }) })
const ofAgent = Type.Object({ agentId: Type.String() })

export const listSkills = {
  tags,
  summary: 'List skills',
  querystring: Type.Object({ ...Searching }),
  response: { 200: Page(SkillSummary) }
}
export const listIndex = {
  tags,
  summary: 'List what agents are told of skills before they load one',
  querystring: Type.Object({
    ...Paging,
    agentId: Type.Optional(Type.String({ description: 'Only those of this agent' }))
  }),
  response: { 200: Page(IndexEntry) }
}
export const createSkill = {
  tags,
  summary: 'Create a skill',
  body: NewSkill,
  response: { 201: Data(Skill) }
}
export const importSkill = {
  tags,
  summary: 'Import a skill',
  description:
    'A form whose `file` is a SKILL.md or a ZIP archive of its folder, and whose `slug` may be given; or either of them as ' +
    'the body itself; or JSON: a definition as `POST /v1/skills` takes it, alone or under `definition`, the text of a ' +
    'SKILL.md under `content`, or an archive in base64 under `archive`; beside these, `slug`.',
  consumes: ['multipart/form-data', 'application/zip', 'text/markdown', 'application/json'],
  response: { 201: Data(Skill) }
}
const File = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })
export const readSkill = {
  tags,
  summary: 'Get a skill',
  description:
    'As an archive that other products import, too, or as its SKILL.md alone: by `format`, or by `Accept`.',
  params,
  querystring: Type.Object({
    format: Type.Optional(Type.Enum(['json', 'zip', 'markdown'])),
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'As it was then; the latest are kept' })
    )
  }),
  response: {
    200: {
      content: {
        'application/json': { schema: Data(Skill) },
        'application/zip': { schema: File },
        'text/markdown': { schema: File }
      }
    }
  }
}
export const updateSkill = {
  tags,
  summary: 'Update a skill',
  params,
  body: SkillChanges,
  response: { 200: Data(Skill) }
}
export const deleteSkill = { tags, summary: 'Delete a skill', params, response: { 200: Deleted } }
export const listOfAgent = {
  tags,
  summary: 'List the skills of an agent',
  params: ofAgent,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(SkillSummary) }
}
const attached = Type.Boolean({ description: 'False takes it away' })
const SkillAttachment = Type.Object(
  { skillId: Type.String(), agentId: Type.String(), attached },
  { title: 'SkillAttachment' }
)
export const listAgentsOf = {
  tags,
  summary: 'List the agents that have a skill',
  description: 'Those that the caller may read, the latest that was given it first.',
  params,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(SkillAttachment) }
}
export const setAttachment = {
  tags,
  summary: 'Attach a skill to an agent, or detach it',
  params: Type.Object({ ...params.properties, ...ofAgent.properties }),
  body: Type.Object({ attached }, { title: 'SkillAttachmentChanges' }),
  response: { 200: Data(SkillAttachment) }
}
