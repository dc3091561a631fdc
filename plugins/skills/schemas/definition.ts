import { OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

/** As the published format of Agent Skills has it. */
export const skillName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  examples: ['pdf-forms'],
  description: 'Lowercase letters, digits, and single hyphens between them'
})

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description })

/** What stands in a SKILL.md: its front matter, and the instructions below. */
export const definitionFields = {
  name: skillName,
  description: text(
    1_024,
    'What the skill does and when to use it: all that an agent sees before it loads it'
  ),
  license: OrNull(text(500, 'Its name, or the file of the skill that has it')),
  compatibility: OrNull(text(500, 'What it needs: products, packages, network access')),
  metadata: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 2_000 }), {
    maxProperties: 50,
    description: 'More about it, for programs'
  }),
  allowedTools: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 100,
    description: 'Tools that the skill counts on. Nothing is granted or approved by it'
  }),
  extensions: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.Unknown(), {
    maxProperties: 50,
    description: 'Further fields of the front matter, as they were, for other products'
  }),
  instructions: Type.String({
    maxLength: 100_000,
    description: 'Markdown: what to do when the skill is used'
  })
}

export const Definition = Type.Object(definitionFields, { additionalProperties: false })
export type Definition = Static<typeof Definition>

/** A file as it is kept. */
export const SkillFile = Type.Object(
  {
    path: Type.String({ examples: ['references/fields.md'] }),
    encoding: Type.Enum(['utf8', 'base64'], { description: '`base64`: it is no text' }),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String({ description: 'Of its bytes, in hexadecimal' }),
    executable: Type.Boolean()
  },
  { title: 'SkillFile' }
)
export type SkillFile = Static<typeof SkillFile>

/** A file as a client gives it: with its content, or, of one that the skill has already, with its SHA-256. */
export const GivenFile = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 1_024, examples: ['references/fields.md'] }),
    content: Type.Optional(Type.String()),
    encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { default: 'utf8', description: 'Of `content`' })),
    sha256: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of a file that is kept as it is' })
    ),
    executable: Type.Optional(Type.Boolean({ default: false })),
    size: Type.Optional(Type.Integer({ description: 'Ignored' }))
  },
  { title: 'GivenSkillFile', additionalProperties: false }
)
export type GivenFile = Static<typeof GivenFile>
