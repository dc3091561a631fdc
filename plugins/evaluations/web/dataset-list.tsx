import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import {
  api,
  CancelButton,
  Dialog,
  EmptyState,
  ErrorNotice,
  Form,
  ListTable,
  PageFrame,
  TimeAgo,
  useAction,
  useAddress,
  useList
} from 'agent-platform/console'
import { FlaskConical, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { KEY } from './queries.ts'

export default function DatasetList() {
  const { search, change } = useAddress()
  const list = useList([...KEY, 'datasets'], (cursor, signal) =>
    api.get('/v1/evaluations/datasets', { params: { query: { limit: 50, cursor } }, signal })
  )
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: '1' })}>
      New dataset
    </Button>
  )
  return (
    <PageFrame
      title="Evaluations"
      description="Whether an agent is good at what it should be able to do, and whether a change made it better."
      actions={create}
    >
      <ListTable
        label="Datasets"
        list={list}
        empty={
          <EmptyState icon={FlaskConical} title="No datasets yet" action={create}>
            A dataset is a list of questions, each with the answer that is expected. Experiments ask an agent
            all of them, and score what it answers.
          </EmptyState>
        }
        columns={[
          {
            header: 'Dataset',
            to: ({ id }) => `/evaluations/datasets/${id}`,
            cell: ({ name }) => name,
            note: ({ description }) => description,
            maxWidth: 480
          },
          { header: 'Items', cell: ({ itemCount }) => itemCount, isNumber: true },
          { header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
        ]}
      />
      <Dialog opened={search.has('new')} onClose={() => change({ new: null })} title="New dataset">
        <NewDataset onClose={() => change({ new: null })} />
      </Dialog>
    </PageFrame>
  )
}

function NewDataset({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const creating = useAction({
    run: () =>
      api.post('/v1/evaluations/datasets', {
        body: { name: name.trim(), description: description.trim() || null }
      }),
    changes: [KEY],
    onDone: ({ data }) => navigate(`/evaluations/datasets/${data.id}`),
    isQuiet: true
  })
  return (
    <Form action={creating} onSubmit={() => creating.mutate()}>
      <Stack>
        <TextInput
          label="Name"
          placeholder="Questions about refunds"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={200}
          required
          data-autofocus
        />
        <Textarea
          label="Description"
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          maxLength={5_000}
          autosize
          minRows={2}
        />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={creating.isPending} disabled={name.trim() === ''}>
            Create dataset
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
