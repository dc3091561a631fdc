import { Badge } from '@mantine/core'

const colors: Readonly<Record<string, string>> = {
  completed: 'green',
  running: 'blue',
  enabled: 'green',
  active: 'green',
  ready: 'green',
  applied: 'green',
  configured: 'green',
  connected: 'green',
  available: 'green',
  succeeded: 'green',
  queued: 'gray',
  scheduled: 'indigo',
  draft: 'gray',
  off: 'gray',
  waiting: 'orange',
  'waiting for code': 'orange',
  unauthorized: 'orange',
  pending: 'orange',
  unknown: 'orange',
  missing: 'orange',
  set: 'green',
  quarantined: 'red',
  error: 'red',
  failed: 'red',
  refused: 'red',
  cancelled: 'gray'
}

/** A state, in words, with the colour that it has everywhere. */
export const StatusBadge = ({ status }: { status: string }) => (
  <Badge variant="dot" flex="none" maw="100%" color={colors[status] ?? 'gray'} radius="sm" tt="none" fw={600}>
    {status.replaceAll('_', ' ')}
  </Badge>
)
