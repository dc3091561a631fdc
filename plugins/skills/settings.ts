import type { Static } from 'typebox'
import { Type } from 'typebox'

export const SkillSettings = Type.Object({
  skillBytes: Type.Integer({
    env: 'SKILL_BYTES',
    minimum: 1_024,
    maximum: 104_857_600,
    default: 10_485_760,
    description: 'Of all files of a skill together, and of an archive'
  }),
  skillFiles: Type.Integer({
    env: 'SKILL_FILES',
    minimum: 1,
    maximum: 2_000,
    default: 200,
    description: 'Files of a skill'
  }),
  skillVersions: Type.Integer({
    env: 'SKILL_VERSIONS',
    minimum: 1,
    maximum: 1_000,
    default: 50,
    description: 'Latest versions of a skill that are kept'
  }),
  skillsOfAgent: Type.Integer({
    env: 'SKILLS_OF_AGENT',
    minimum: 1,
    maximum: 256,
    default: 64,
    description: 'Skills that an agent may have'
  }),
  skillIndexCharacters: Type.Integer({
    env: 'SKILL_INDEX_CHARACTERS',
    minimum: 1_000,
    maximum: 100_000,
    default: 16_000,
    description: 'Of the list of skills in a prompt; descriptions are cut to fit'
  }),
  skillLoadedCharacters: Type.Integer({
    env: 'SKILL_LOADED_CHARACTERS',
    minimum: 1_000,
    maximum: 1_000_000,
    default: 200_000,
    description: 'Of the instructions that a session has loaded; the earliest make room for the latest'
  })
})
export type SkillSettings = Static<typeof SkillSettings>
