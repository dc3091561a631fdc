import { TagsInput, Textarea, TextInput } from '@mantine/core'

export interface SkillDraft {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly license: string | null
  readonly compatibility: string | null
  readonly allowedTools: string[]
}

/** What stands in a SKILL.md. */
export function SkillFields(props: { draft: SkillDraft; onChange: (draft: SkillDraft) => void }) {
  const { draft, onChange } = props
  return (
    <>
      <TextInput
        label="Name"
        description="Lowercase letters, digits, and single hyphens between them"
        placeholder="meeting-minutes"
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        maxLength={64}
        pattern="[a-z0-9]+(?:-[a-z0-9]+)*"
        required
        data-autofocus
      />
      <Textarea
        label="Description"
        description="What it does and when to use it: all that an agent sees before it loads the skill."
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ ...draft, description: currentTarget.value })}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1_024}
        required
      />
      <Textarea
        label="Instructions"
        description="Markdown: what to do when the skill is used."
        value={draft.instructions}
        onChange={({ currentTarget }) => onChange({ ...draft, instructions: currentTarget.value })}
        autosize
        minRows={8}
        maxRows={28}
        maxLength={100_000}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <TextInput
        label="Compatibility"
        description="What it needs: products, packages, network access"
        value={draft.compatibility ?? ''}
        onChange={({ currentTarget }) => onChange({ ...draft, compatibility: currentTarget.value || null })}
        maxLength={500}
      />
      <TagsInput
        label="Tools that it counts on"
        description="For readers: nothing is granted or approved by it."
        value={draft.allowedTools}
        onChange={(allowedTools) => onChange({ ...draft, allowedTools })}
        maxTags={100}
      />
      <TextInput
        label="License"
        value={draft.license ?? ''}
        onChange={({ currentTarget }) => onChange({ ...draft, license: currentTarget.value || null })}
        maxLength={500}
      />
    </>
  )
}
