import { Changes, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { definitionFields, GivenFile, SkillFile, skillName } from './definition.ts'

const { instructions, ...described } = definitionFields

export const SkillSummary = Type.Object(
  {
    id: Type.String({ examples: ['skill_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    slug: { ...skillName, description: 'Its name in addresses and prompts, once in a project' },
    ...described,
    origin: Type.Enum(['created', 'imported']),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'SkillSummary' }
)
export const Skill = Type.Object(
  { ...SkillSummary.properties, instructions, files: Type.Array(SkillFile) },
  { title: 'Skill' }
)

const files = Type.Array(GivenFile, { maxItems: 2_000, description: 'Beside SKILL.md' })
const { name, description, ...optional } = definitionFields
export const NewSkill = Type.Object(
  {
    name,
    description,
    ...Type.Partial(Type.Object({ ...optional, files, slug: skillName })).properties
  },
  { title: 'NewSkill', additionalProperties: false }
)
const writable = ['slug', ...Object.keys(definitionFields)] as (keyof typeof definitionFields | 'slug')[]
const changes = Changes(Skill, writable)
export const SkillChanges = Type.Object(
  { ...changes.properties, files: Type.Optional(files) },
  { title: 'SkillChanges', additionalProperties: false }
)

export const IndexEntry = Type.Object(
  Type.Pick(SkillSummary, ['id', 'slug', 'name', 'description', 'version']).properties,
  { title: 'SkillIndexEntry' }
)

export type Skill = Static<typeof Skill>
export type SkillSummary = Static<typeof SkillSummary>
export type NewSkill = Static<typeof NewSkill>
export type SkillChanges = Static<typeof SkillChanges>
export type IndexEntry = Static<typeof IndexEntry>

export const skills = table('skills.skill', Skill)
/** The same rows, without what may be large. */
export const summaries = table('skills.skill', SkillSummary, { what: 'Skill' })
