import { Button, Divider, Group, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core'
import { api, ConfirmButton, Form, useAction, useDraft } from 'agent-platform/console'
import type { Workflow } from 'agent-platform-client'
import { useLocation } from 'wouter'

/** What a workflow is called, who may read it, copies of it, and its end. */
export function WorkflowSettings({ workflow }: { workflow: Workflow }) {
  const params = { path: { id: workflow.id } }
  const draft = useDraft(
    `workflow settings ${workflow.id}`,
    workflow,
    ({ name, description, visibility }) => ({
      name,
      description: description ?? '',
      isPublic: visibility === 'public'
    })
  )
  const { name, description, isPublic } = draft.value
  const saving = useAction({
    run: () =>
      api.put('/v1/workflows/{id}', {
        params,
        headers: { 'if-match': `"${draft.base.version}"` },
        body: { name, description: description || null, visibility: isPublic ? 'public' : 'private' }
      }),
    changes: [['workflows']],
    draft,
    done: 'The workflow is saved'
  })
  return (
    <Stack gap="xl" maw={760}>
      <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
        <Stack>
          <TextInput
            label="Name"
            value={name}
            onChange={({ currentTarget }) => draft.change({ name: currentTarget.value })}
            maxLength={200}
            required
          />
          <Textarea
            label="Description"
            value={description}
            onChange={({ currentTarget }) => draft.change({ description: currentTarget.value })}
            maxLength={5_000}
            autosize
            minRows={2}
            maxRows={10}
          />
          <Switch
            label="Public"
            description="Everyone may read and copy it, also in other projects. Only its owner executes and changes it."
            checked={isPublic}
            onChange={({ currentTarget }) => draft.change({ isPublic: currentTarget.checked })}
          />
          <Group>
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
      <Divider />
      <Endings workflowId={workflow.id} />
    </Stack>
  )
}

function Endings({ workflowId }: { workflowId: string }) {
  const [, navigate] = useLocation()
  const params = { path: { id: workflowId } }
  const changes = [['workflows', 'list']]
  const copying = useAction({
    run: () => api.post('/v1/workflows/{id}/fork', { params, body: {} }),
    changes,
    done: ({ data }) =>
      data.cleared.length === 0
        ? 'This is the copy'
        : `This is the copy. What you may not use was left out of it: ${data.cleared.join(', ')}`,
    onDone: ({ data }) => navigate(`/workflows/${data.id}`)
  })
  const removing = useAction({
    run: () => api.delete('/v1/workflows/{id}', { params }),
    changes,
    done: 'The workflow is deleted',
    onDone: () => navigate('/workflows')
  })
  return (
    <Stack gap="xl">
      <Stack gap="xs" align="flex-start">
        <Title order={2} size="h5">
          Copy the workflow
        </Title>
        <Text size="sm" c="dimmed">
          The copy is private and yours, without executions and webhook.
        </Text>
        <Button variant="default" size="sm" onClick={() => copying.mutate()} loading={copying.isPending}>
          Copy workflow
        </Button>
      </Stack>
      <Stack gap="xs" align="flex-start">
        <Title order={2} size="h5">
          Delete the workflow
        </Title>
        <Text size="sm" c="dimmed">
          Its executions go with it; those under way are cancelled.
        </Text>
        <ConfirmButton
          title="Delete this workflow?"
          warning="Its versions, executions and webhook go with it, and what is under way is cancelled. This cannot be undone."
          onClick={() => removing.mutate()}
          loading={removing.isPending}
        >
          Delete workflow
        </ConfirmButton>
      </Stack>
    </Stack>
  )
}
