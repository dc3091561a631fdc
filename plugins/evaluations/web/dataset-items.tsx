import { ActionIcon, Button, FileButton, Group, Menu, SegmentedControl, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import {
  api,
  baseUrl,
  EmptyState,
  ErrorNotice,
  ListTable,
  useAction,
  useAddress,
  useList
} from 'agent-platform/console'
import { Download, ListChecks, Pencil, Plus, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { ItemForm } from './item-form.tsx'
import { KEY } from './queries.ts'
import type { Item } from './words.ts'

const lines = { style: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } } as const

/** What a dataset asks, one by one or from a file. */
export function DatasetItems({ datasetId }: { datasetId: string }) {
  const { search, change } = useAddress()
  const [edited, setEdited] = useState<Item | 'new'>()
  const expected = search.get('expected') === 'missing' ? ('missing' as const) : undefined
  const list = useList([...KEY, 'items', datasetId, expected], (cursor, signal) =>
    api.get('/v1/evaluations/datasets/{datasetId}/items', {
      params: { path: { datasetId }, query: { limit: 50, cursor, expected } },
      signal
    })
  )
  const adding = (
    <Button
      variant="default"
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => setEdited('new')}
      key="add"
    >
      Add an item
    </Button>
  )
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          aria-label="Which items"
          value={expected ?? 'all'}
          onChange={(value) => change({ expected: value === 'missing' ? value : null })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'missing', label: 'Nothing expected yet' }
          ]}
        />
        <Group gap="sm">
          {adding}
          <Import datasetId={datasetId} />
          <Export datasetId={datasetId} />
        </Group>
      </Group>
      <ListTable
        label="Items"
        list={list}
        empty={
          expected ? (
            'Each item has an expected outcome.'
          ) : (
            <EmptyState icon={ListChecks} title="No items yet" action={adding}>
              Add them one by one, or import a file: CSV with the columns “input” and “expected”, or JSON
              lines.
            </EmptyState>
          )
        }
        columns={[
          {
            header: 'Input',
            cell: ({ input }) => (
              <Text size="sm" lineClamp={4} {...lines}>
                {input.slice(0, 1_000)}
              </Text>
            ),
            note: ({ metadata }) =>
              Object.entries(metadata)
                .map(([name, value]) => `${name}: ${value}`)
                .join(' · '),
            maxWidth: 460
          },
          {
            header: 'Expected',
            cell: ({ expected }) => (
              <Text size="sm" lineClamp={4} c={expected === null ? 'dimmed' : undefined} {...lines}>
                {expected?.slice(0, 1_000) ?? 'Not known yet'}
              </Text>
            ),
            maxWidth: 460
          },
          {
            header: 'Actions',
            isAction: true,
            cell: (item) => (
              <Group gap={4} wrap="nowrap" justify="flex-end">
                <ActionIcon variant="subtle" aria-label="Edit item" onClick={() => setEdited(item)}>
                  <Pencil size={16} />
                </ActionIcon>
                <Remove item={item} />
              </Group>
            )
          }
        ]}
      />
      <ItemForm datasetId={datasetId} item={edited} onClose={() => setEdited(undefined)} />
    </Stack>
  )
}

function Remove({ item: { datasetId, id: itemId } }: { item: Item }) {
  const removing = useAction({
    run: () =>
      api.delete('/v1/evaluations/datasets/{datasetId}/items/{itemId}', {
        params: { path: { datasetId, itemId } }
      }),
    changes: [KEY],
    done: 'The item is deleted'
  })
  const ask = () =>
    modals.openConfirmModal({
      title: 'Delete this item?',
      children: <Text size="sm">Experiments that were made before keep what it was.</Text>,
      labels: { confirm: 'Delete', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => removing.mutate()
    })
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label="Delete item"
      onClick={ask}
      loading={removing.isPending}
    >
      <Trash2 size={16} />
    </ActionIcon>
  )
}

function Import({ datasetId }: { datasetId: string }) {
  const importing = useAction({
    run: async (file: File) => {
      const type = /\.csv$/i.test(file.name) ? 'text/csv' : 'application/jsonl'
      return api.post('/v1/evaluations/datasets/{datasetId}/items/import', {
        params: { path: { datasetId } },
        headers: { 'content-type': type },
        body: file as never
      })
    },
    changes: [KEY],
    done: ({ data }) => `${data.count} ${data.count === 1 ? 'item was' : 'items were'} imported`,
    isQuiet: true
  })
  return (
    <>
      <FileButton
        accept=".csv,.jsonl,.ndjson"
        onChange={(file) => file && importing.mutate(file)}
        inputProps={{ 'aria-label': 'File of items' }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<Upload size={16} aria-hidden />}
            loading={importing.isPending}
          >
            Import
          </Button>
        )}
      </FileButton>
      {importing.error ? <ErrorNotice error={importing.error} /> : null}
    </>
  )
}

function Export({ datasetId }: { datasetId: string }) {
  const at = (format: string) =>
    `${baseUrl}/v1/evaluations/datasets/${datasetId}/items/export?format=${format}`
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={at('csv')} download>
          CSV
        </Menu.Item>
        <Menu.Item component="a" href={at('jsonl')} download>
          JSON lines
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
