import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { api, ConfirmButton, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Skill } from './queries.ts'
import type { SkillDraft } from './skill-fields.tsx'
import { SkillFields } from './skill-fields.tsx'

export function SkillEditor({ skill }: { skill: Skill }) {
  const { id, version, name, description, instructions, license, compatibility, allowedTools } = skill
  const [draft, setDraft] = useState<SkillDraft>({
    name,
    description,
    instructions,
    license,
    compatibility,
    allowedTools
  })
  const saving = useAction({
    run: (body: SkillDraft) =>
      api.put('/v1/skills/{id}', {
        params: { path: { id } },
        headers: { 'if-match': `"${version}"` },
        body
      }),
    changes: [['skills']],
    done: 'The skill is saved',
    isQuiet: true
  })
  return (
    <Stack gap="xl" maw={860}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate(draft)
        }}
      >
        <Stack>
          <SkillFields draft={draft} onChange={setDraft} />
          {saving.error ? <ErrorNotice error={saving.error} /> : null}
          <Group>
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <Divider />
      <Removal skill={skill} />
    </Stack>
  )
}

function Removal({ skill: { id, slug } }: { skill: Skill }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/skills/{id}', { params: { path: { id } } }),
    changes: [
      ['skills', 'list'],
      ['skills', 'all'],
      ['skills', 'agents']
    ],
    done: 'The skill is deleted',
    onDone: () => navigate('/skills')
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h5">
        Delete the skill
      </Title>
      <Text size="sm" c="dimmed">
        Its versions and files go with it, and agents that have it lose it.
      </Text>
      <ConfirmButton
        title={`Delete ${slug}?`}
        warning="All its versions and files are deleted, and all agents lose it. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete skill
      </ConfirmButton>
    </Stack>
  )
}
