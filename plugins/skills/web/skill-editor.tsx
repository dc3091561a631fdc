import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { api, ConfirmButton, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import { useLocation } from 'wouter'
import type { Skill } from './queries.ts'
import type { SkillDraft } from './skill-fields.tsx'
import { SkillFields } from './skill-fields.tsx'

export function SkillEditor({ skill }: { skill: Skill }) {
  const { id } = skill
  const draft = useDraft(
    `skill ${id}`,
    skill,
    ({ name, description, instructions, license, compatibility, allowedTools }): SkillDraft => ({
      name,
      description,
      instructions,
      license,
      compatibility,
      allowedTools
    })
  )
  const saving = useAction({
    run: (body: SkillDraft) =>
      api.put('/v1/skills/{id}', {
        params: { path: { id } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body
      }),
    changes: [['skills']],
    draft,
    done: 'The skill is saved',
    isQuiet: true
  })
  return (
    <Stack gap="xl" maw={860}>
      <Form action={saving} draft={draft} onSubmit={() => saving.mutate(draft.value)}>
        <Stack>
          <SkillFields draft={draft.value} onChange={draft.set} />
          {saving.error ? <ErrorNotice error={saving.error} /> : null}
          <Group>
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
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
