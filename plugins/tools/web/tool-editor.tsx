import { Button, Group, Stack } from '@mantine/core'
import {
  api,
  ConfirmButton,
  ErrorNotice,
  Form,
  Panel,
  SchemaForm,
  useAction,
  useDraft
} from 'agent-platform/console'
import { useLocation } from 'wouter'
import type { Tool } from './queries.ts'
import { draftOf, otherForm, toolForm, toolOf } from './tool-draft.ts'

/** A tool's definition, and its end. */
export function ToolEditor({ tool }: { tool: Tool }) {
  const [, navigate] = useLocation()
  // Headers may hold secrets.
  const draft = useDraft(`tool ${tool.id}`, tool, draftOf, { hasSecrets: true })
  const path = { name: tool.id }
  const changes = [['tools']]
  const saving = useAction({
    run: () =>
      api.put('/v1/tools/{name}', {
        params: { path },
        headers: { 'if-match': `"${draft.base.version}"` },
        body: toolOf(draft.value, tool.kind)
      }),
    changes,
    draft,
    done: 'The tool is saved',
    isQuiet: true
  })
  const removing = useAction({
    run: () => api.delete('/v1/tools/{name}', { params: { path } }),
    changes: [['tools', 'accessible']],
    done: 'The tool is deleted',
    onDone: () => navigate('/tools')
  })
  return (
    <Stack gap="lg" maw={760}>
      <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
        <Stack>
          <SchemaForm
            schema={tool.kind === 'http' ? toolForm : otherForm}
            value={draft.value}
            onChange={draft.set}
          />
          {saving.error ? <ErrorNotice error={saving.error} /> : null}
          <Group>
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
      <Panel
        title="Delete the tool"
        description="Its assignments, permissions and mappings of keys go with it."
      >
        <ConfirmButton
          title="Delete this tool?"
          warning="Agents lose it at once, with what was granted and the keys that were mapped. This cannot be undone."
          onClick={() => removing.mutate()}
          loading={removing.isPending}
        >
          Delete tool
        </ConfirmButton>
      </Panel>
    </Stack>
  )
}
