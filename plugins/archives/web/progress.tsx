import { Progress as Bar, Stack, Text } from '@mantine/core'
import type { Schemas } from 'agent-platform-client'

/** How far an export or import is. */
export function Progress({ of: { part, done, parts, records } }: { of: Schemas['ArchiveProgress'] }) {
  return (
    <Stack gap={2} miw={140}>
      <Bar value={parts > 0 ? (100 * done) / parts : 0} animated aria-label="Progress" />
      <Text size="xs" c="dimmed">
        {part ?? 'Starting'}: {records} {records === 1 ? 'record' : 'records'}
      </Text>
    </Stack>
  )
}
