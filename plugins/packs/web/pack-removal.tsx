import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { api, CancelButton, Dialog, ErrorNotice, Form, Panel, useAction } from 'agent-platform/console'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'

/** Takes a pack away: what was set of it, and its tables if so asked. */
export function PackRemoval({ name }: { name: string }) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <Panel
      title="Remove the pack"
      description="It is disabled on all instances, and what was set of it is forgotten. Its data can go with it."
    >
      <Button variant="light" color="red" onClick={open}>
        Remove…
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`Remove ${name}`} size="lg">
        <RemovalForm name={name} onClose={close} />
      </Dialog>
    </Panel>
  )
}

function RemovalForm({ name, onClose }: { name: string; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [dropData, setDropData] = useState(false)
  const [typed, setTyped] = useState('')
  const removing = useAction({
    run: () => api.delete('/v1/packs/{name}', { params: { path: { name }, query: { dropData } } }),
    changes: [['packs']],
    done: ({ data: { settings, choices, facts, tables } }) =>
      `${name} is removed, with ${settings.length} settings, ${choices} choices, ${facts} facts and ${tables.length} tables`,
    onDone: () => navigate('/packs'),
    isQuiet: true
  })
  return (
    <Form action={removing} onSubmit={() => removing.mutate()}>
      <Stack>
        <Text size="sm">
          Its settings, with their secrets, the choices of projects and the facts that wait for it are
          forgotten. Requests and jobs that are under way end first, which may take a minute. Its code stays
          in its folder: it can be enabled again.
        </Text>
        <Checkbox
          label="Drop its data, too"
          description="All of its tables, with everything that stands in them, for all projects"
          checked={dropData}
          onChange={({ currentTarget }) => setDropData(currentTarget.checked)}
        />
        {dropData && (
          <Alert
            color="red"
            variant="light"
            icon={<TriangleAlert aria-hidden />}
            title="This cannot be undone"
          >
            <TextInput
              label={`Type ${name} to confirm`}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              autoComplete="off"
            />
          </Alert>
        )}
        {removing.error ? <ErrorNotice error={removing.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button
            type="submit"
            color="red"
            loading={removing.isPending}
            disabled={dropData && typed !== name}
          >
            {dropData ? 'Remove it and its data' : 'Remove pack'}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
