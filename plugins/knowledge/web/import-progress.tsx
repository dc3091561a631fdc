import { Alert, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { StatusBadge } from 'agent-platform/console'
import { CircleAlert } from 'lucide-react'
import type { Import } from './queries.ts'
import { importQuery } from './queries.ts'

const counted = [
  ['created', 'new'],
  ['updated', 'with another text'],
  ['unchanged', 'there already'],
  ['failed', 'not imported'],
  ['skipped', 'skipped']
] as const

/** How far an import is, until it has ended. */
export function ImportProgress({ started }: { started: Import }) {
  const { data = started } = useQuery({
    ...importQuery(started.spaceId, started.id),
    initialData: started
  })
  const { status, total, created, updated, unchanged, failed, errors, skippedFiles, warnings } = data
  const done = created + updated + unchanged + failed
  const per = status === 'completed' ? 100 : total === 0 ? 0 : (done / total) * 100
  const told = counted.filter(([name]) => data[name] > 0)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" role="status">
          {done} of {total} {total === 1 ? 'document' : 'documents'}
        </Text>
        <StatusBadge status={status} />
      </Group>
      <Progress
        value={per}
        color={status === 'failed' ? 'red' : failed > 0 ? 'orange' : undefined}
        animated={status === 'running'}
        aria-label="Imported"
      />
      {told.length > 0 && (
        <Text size="sm" c="dimmed">
          {told.map(([name, words]) => `${data[name]} ${words}`).join(' · ')}
        </Text>
      )}
      <Reasons title="Not imported" color="red" files={errors} />
      <Reasons title="Skipped" color="orange" files={skippedFiles} />
      <Reasons title="Imported with warnings" color="yellow" files={warnings} />
    </Stack>
  )
}

interface ReasonsProps {
  readonly title: string
  readonly color: string
  readonly files: readonly { readonly path: string; readonly message: string }[]
}

/** Files with the same reason are listed together. */
function Reasons({ title, color, files }: ReasonsProps) {
  if (files.length === 0) return null
  return (
    <Alert variant="light" color={color} icon={<CircleAlert aria-hidden />} title={title}>
      <List size="sm" spacing={4} mah={240} style={{ overflowY: 'auto' }}>
        {[...Map.groupBy(files, ({ message }) => message)].map(([message, some]) => (
          <List.Item key={message} style={{ overflowWrap: 'anywhere' }}>
            {some.map(({ path }) => path).join(', ')}: {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
