import { Button, Code, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { api, DataTable, EmptyState, TimeAgo, useAction } from 'agent-platform/console'
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
      <DataTable
        label="Dead-lettered facts"
        rows={deadLettered}
        columns={[
          { header: 'Fact', cell: ({ name }) => name, note: ({ subject }) => subject, maxWidth: 260 },
          {
            header: 'Error',
            cell: ({ error }) => <Code style={{ whiteSpace: 'pre-wrap' }}>{error.slice(0, 1_000)}</Code>,
            maxWidth: 360
          },
          { header: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
          { header: 'Since', cell: ({ deadLetteredAt }) => <TimeAgo at={deadLetteredAt} /> },
          {
            header: 'Replay',
            isAction: true,
            cell: ({ id, name }) => (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => replaying.mutate(id)}
                loading={replaying.isPending && replaying.variables === id}
                aria-label={`Replay ${name}`}
              >
                Replay
              </Button>
            )
          }
        ]}
      />
    </Stack>
  )
}
