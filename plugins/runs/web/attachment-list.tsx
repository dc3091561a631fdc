import { Group, Loader, Pill, Stack } from '@mantine/core'
import { ErrorNotice } from 'agent-platform/console'
import type { Attachments } from './use-attachments.ts'

/** What goes with the message. */
export function AttachmentList({ attachments }: { attachments: Attachments }) {
  if (attachments.all.length === 0) return null
  return (
    <Stack gap="xs" mb="xs">
      <Group gap={6}>
        {attachments.all.map(({ key, name, fileId, error }) => (
          <Pill
            key={key}
            withRemoveButton
            onRemove={() => attachments.remove(key)}
            removeButtonProps={{ 'aria-label': `Remove ${name}`, tabIndex: 0, 'aria-hidden': false }}
            maw={260}
          >
            {!fileId && !error && <Loader size={10} mr={6} aria-label="Uploading" />}
            {name}
          </Pill>
        ))}
      </Group>
      {attachments.all
        .filter(({ error }) => error !== undefined)
        .map(({ key, error }) => (
          <ErrorNotice key={key} error={error} />
        ))}
    </Stack>
  )
}
