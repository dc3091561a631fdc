import { Button } from '@mantine/core'
import { api, useAction } from 'agent-platform/console'
import type { ListedRun } from './run-lists.ts'
import { nameOf } from './run-lists.ts'

/** Stops a run, or takes one back that has not begun. */
export function CancelRun({ run }: { run: Pick<ListedRun, 'id' | 'sessionId' | 'sessionTitle' | 'asked'> }) {
  const cancelling = useAction({
    run: () => api.runs.cancel(run.id),
    changes: [['runs'], ['sessions', run.sessionId]],
    done: 'The run is cancelled'
  })
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      flex="none"
      loading={cancelling.isPending}
      onClick={() => cancelling.mutate()}
      aria-label={`Cancel ${nameOf(run)}`}
    >
      Cancel
    </Button>
  )
}
