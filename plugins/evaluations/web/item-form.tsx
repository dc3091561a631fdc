import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { KEY } from './queries.ts'
import type { Item } from './words.ts'

/** Adds an item, or changes one. */
export function ItemForm(props: { datasetId: string; item: Item | 'new' | undefined; onClose: () => void }) {
  const { datasetId, item, onClose } = props
  return (
    <Modal
      opened={item !== undefined}
      onClose={onClose}
      title={item === 'new' ? 'New item' : 'Edit item'}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {item && <Form datasetId={datasetId} item={item === 'new' ? undefined : item} onClose={onClose} />}
    </Modal>
  )
}

function Form({
  datasetId,
  item,
  onClose
}: {
  datasetId: string
  item: Item | undefined
  onClose: () => void
}) {
  const [input, setInput] = useState(item?.input ?? '')
  const [expected, setExpected] = useState(item?.expected ?? '')
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
          headers: { 'if-match': `"${item.version}"` },
          body
        })
    },
    changes: [KEY],
    done: 'Saved',
    onDone: onClose,
    isQuiet: true
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Stack>
        <Textarea
          label="Input"
          description="What the agent is asked"
          value={input}
          onChange={({ currentTarget }) => setInput(currentTarget.value)}
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
          onChange={({ currentTarget }) => setExpected(currentTarget.value)}
          maxLength={32_000}
          autosize
          minRows={3}
          maxRows={12}
        />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={input === ''}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
