import { Button, Code, Group, PasswordInput, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
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
  useList
} from 'agent-platform/console'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'

/** Credentials of other services, which tools are called with. */
export default function KeyList() {
  const [search, setSearch] = useSearchParams()
  const list = useList(['tool-keys', 'list'], (cursor, signal) =>
    api.get('/v1/tool-keys', { params: { query: { limit: 50, cursor } }, signal })
  )
  const close = () => setSearch({}, { replace: true })
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setSearch({ new: '' })}>
      New key
    </Button>
  )
  return (
    <PageFrame
      title="Tool keys"
      crumbs={[{ label: 'Tools', to: '/tools' }]}
      description="Credentials that tools are called with. Agents and models never see them, and each goes to the hosts that it names alone."
      actions={create}
    >
      <ListTable
        label="Tool keys"
        list={list}
        empty={
          <EmptyState icon={KeyRound} title="No keys yet" action={create}>
            Store one, and map it to the tools that need it.
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            to: ({ id }) => `/tool-keys/${id}`,
            cell: ({ name }) => name,
            note: ({ description }) => description,
            maxWidth: 320
          },
          { header: 'Hosts', cell: ({ allowedHosts }) => allowedHosts.join(', '), maxWidth: 280 },
          { header: 'Begins with', cell: ({ prefix }) => <Code>{prefix}…</Code> },
          { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
        ]}
      />
      <Dialog opened={search.has('new')} onClose={close} title="New tool key" size="lg">
        <NewKey onClose={close} />
      </Dialog>
    </PageFrame>
  )
}

function NewKey({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [value, setValue] = useState('')
  const [allowedHosts, setHosts] = useState<string[]>([])
  const creating = useAction({
    run: () =>
      api.post('/v1/tool-keys', { body: { name, value, allowedHosts, ...(description && { description }) } }),
    changes: [['tool-keys']],
    done: 'The key is stored',
    onDone: ({ data }) => navigate(`/tool-keys/${data.id}`),
    isQuiet: true
  })
  return (
    <Form action={creating} onSubmit={() => creating.mutate()}>
      <Stack>
        <TextInput
          label="Name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={200}
          required
          data-autofocus
          autoComplete="off"
        />
        <Textarea
          label="Description"
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          autosize
          maxRows={6}
          maxLength={2_000}
        />
        <PasswordInput
          label="Value"
          description="Sealed, and never shown again."
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          minLength={8}
          maxLength={8_192}
          required
          autoComplete="off"
        />
        <TagsInput
          label="Hosts"
          description="Names that it may be sent to, such as api.example.com, or with a port."
          value={allowedHosts}
          onChange={setHosts}
          maxTags={50}
          required
        />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={creating.isPending} disabled={allowedHosts.length === 0}>
            Store key
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
