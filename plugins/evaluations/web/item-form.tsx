import { Button, Group, Stack, Textarea } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import { KEY } from './queries.ts'
import type { Item } from './words.ts'

/** Adds an item, or changes one. */
export function ItemForm(props: { datasetId: string; item: Item | 'new' | undefined; onClose: () => void }) {
  const { datasetId, item, onClose } = props
  return (
    <Dialog
      opened={item !== undefined}
      onClose={onClose}
      title={item === 'new' ? 'New item' : 'Edit item'}
      size="lg"
    >
      {item && (
        <ItemFields datasetId={datasetId} item={item === 'new' ? undefined : item} onClose={onClose} />
      )}
    </Dialog>
  )
}

function ItemFields({
  datasetId,
  item,
  onClose
}: {
  datasetId: string
  item: Item | undefined
  onClose: () => void
}) {
  const draft = useDraft(`dataset item ${item?.id ?? `new ${datasetId}`}`, item, (item) => ({
    input: item?.input ?? '',
    expected: item?.expected ?? ''
  }))
  const { input, expected } = draft.value
  const saving = useAction({
    run: async () => {
      const body = { input, expected: expected === '' ? null : expected }
      if (item === undefined)
        await api.post('/v1/evaluations/datasets/{datasetId}/items', {
          params: { path: { datasetId } },
          body: { items: [body] }
        })
      else
        await api.patch('/v1/evaluations/datasets/{datasetId}/items/{itemId}', {
          params: { path: { datasetId, itemId: item.id } },
          headers: { 'if-match': `"${draft.base?.version}"` },
          body
        })
    },
    changes: [KEY],
    draft,
    done: 'Saved',
    onDone: onClose,
    isQuiet: true
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
      <Stack>
        <Textarea
          label="Input"
          description="What the agent is asked"
          value={input}
          onChange={({ currentTarget }) => draft.change({ input: currentTarget.value })}
          maxLength={32_000}
          autosize
          minRows={3}
          maxRows={12}
          required
          data-autofocus
        />
        <Textarea
          label="Expected outcome"
          description="What its answer is compared with. It may be left empty, where scorers do without it."
          value={expected}
          onChange={({ currentTarget }) => draft.change({ expected: currentTarget.value })}
          maxLength={32_000}
          autosize
          minRows={3}
          maxRows={12}
        />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={saving.isPending} disabled={input === ''}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
