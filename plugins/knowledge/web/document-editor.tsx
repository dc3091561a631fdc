import { Button, Group, Stack, Tabs, Textarea, TextInput } from '@mantine/core'
import {
  api,
  CancelButton,
  Dialog,
  ErrorNotice,
  Form,
  Markdown,
  useAction,
  useDraft
} from 'agent-platform/console'
import type { Document } from './queries.ts'

interface Props {
  readonly spaceId: string
  readonly folderId: string | null
  /** Left out for one that is new. */
  readonly document?: Document
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSaved: (documentId: string) => void
}

/** Writes a document, with a look at what it will be. */
export const DocumentEditor = ({ isOpen, onClose, ...props }: Props) => (
  <Dialog
    opened={isOpen}
    onClose={onClose}
    title={props.document ? 'Edit the document' : 'New document'}
    size="xl"
  >
    <EditorForm {...props} onClose={onClose} />
  </Dialog>
)

function EditorForm({ spaceId, folderId, document, onClose, onSaved }: Omit<Props, 'isOpen'>) {
  const draft = useDraft(
    `document ${document?.id ?? `new ${spaceId} ${folderId}`}`,
    document,
    (document) => ({ title: document?.title ?? '', content: document?.content ?? '' })
  )
  const { title, content } = draft.value
  const saving = useAction({
    run: () =>
      document
        ? api.patch('/v1/knowledge/{spaceId}/documents/{documentId}', {
            params: { path: { spaceId, documentId: document.id } },
            headers: { 'if-match': `"${draft.base?.version}"` },
            body: { title, content }
          })
        : api.post('/v1/knowledge/{spaceId}/documents', {
            params: { path: { spaceId } },
            body: { title, content, folderId }
          }),
    changes: [['knowledge', spaceId]],
    draft,
    done: 'The document is saved',
    onDone: ({ data }) => onSaved(data.id),
    isQuiet: true
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
      <Stack>
        <TextInput
          label="Title"
          value={title}
          onChange={({ currentTarget }) => draft.change({ title: currentTarget.value })}
          maxLength={200}
          required
          data-autofocus
        />
        <Tabs defaultValue="write">
          <Tabs.List mb="xs">
            <Tabs.Tab value="write">Write</Tabs.Tab>
            <Tabs.Tab value="preview">Preview</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="write">
            <Textarea
              label="Text"
              description="Markdown; [[Page]] links to another document, and words after # are tags."
              value={content}
              onChange={({ currentTarget }) => draft.change({ content: currentTarget.value })}
              autosize
              minRows={12}
              maxRows={24}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
          </Tabs.Panel>
          <Tabs.Panel value="preview">
            <Markdown text={content || '*Nothing is written yet.*'} />
          </Tabs.Panel>
        </Tabs>
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
