import { Badge } from '@mantine/core'

/** To be seen on a dark page, too. */
const quiet = 'gray.6'

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
  confirmed: 'green',
  paid: 'green',
  delivered: 'green',
  awake: 'green',
  starting: 'blue',
  trialing: 'blue',
  past_due: 'red',
  open: 'orange',
  uncollectible: 'red',
  frozen: 'orange',
  queued: quiet,
  scheduled: 'indigo',
  draft: quiet,
  off: quiet,
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
  failing: 'red',
  refused: 'red',
  cancelled: quiet
}

/** A state, in words, with the colour that it has everywhere. */
export const StatusBadge = ({ status }: { status: string }) => (
  <Badge variant="dot" miw="max-content" color={colors[status] ?? quiet} radius="sm" tt="none" fw={600}>
    {status.replaceAll('_', ' ')}
  </Badge>
)
