import { Button, Code, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { api, EmptyState, TimeAgo, useAction } from 'agent-platform/console'
import { CircleCheck } from 'lucide-react'
import type { Pack } from './queries.ts'

/** Facts that the pack could not handle, to be handed to it again once the cause is mended. */
export function DeadLettered({ pack: { name, deadLettered } }: { pack: Pack }) {
  const replaying = useAction({
    run: (factId: string) =>
      api.post('/v1/packs/{name}/dead-lettered/{factId}/replay', { params: { path: { name, factId } } }),
    changes: [['packs']],
    onDone({ data: { handled, error } }) {
      notifications.show(
        handled
          ? { message: 'The fact is handled', color: 'green' }
          : { title: 'It was not handled, again', message: error, color: 'red', autoClose: 12_000 }
      )
    }
  })
  if (deadLettered.length === 0)
    return (
      <EmptyState icon={CircleCheck} title="No dead-lettered facts">
        The pack handled everything that it was told.
      </EmptyState>
    )
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" maw={720}>
        It was tried many times to hand these to the pack. Mend the cause, reload the pack, and replay them.
      </Text>
      <Table.ScrollContainer minWidth={680}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Fact</Table.Th>
              <Table.Th>Error</Table.Th>
              <Table.Th>Attempts</Table.Th>
              <Table.Th>Since</Table.Th>
              <Table.Th>Action</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {deadLettered.map(({ id, name, subject, attempts, error, deadLetteredAt }) => (
              <Table.Tr key={id}>
                <Table.Td maw={260}>
                  <Text size="sm" fw={550}>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed" truncate title={subject}>
                    {subject}
                  </Text>
                </Table.Td>
                <Table.Td maw={360}>
                  <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                    {error.slice(0, 1_000)}
                  </Code>
                </Table.Td>
                <Table.Td>{attempts}</Table.Td>
                <Table.Td>
                  <TimeAgo at={deadLetteredAt} />
                </Table.Td>
                <Table.Td>
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => replaying.mutate(id)}
                    loading={replaying.isPending && replaying.variables === id}
                    aria-label={`Replay ${name}`}
                  >
                    Replay
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}
