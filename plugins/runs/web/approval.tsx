import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import type { ApprovalDecision } from 'agent-platform-client'
import { useState } from 'react'

/** Approves a call or rejects it. */
export function Approval(props: { runId: string; id: string; onAnswered: () => void }) {
  const { runId, id, onAnswered } = props
  const [forSession, setForSession] = useState(false)
  const [comment, setComment] = useState('')
  const deciding = useAction({
    run: (decision: Partial<ApprovalDecision>) => api.runs.approve(runId, id, decision),
    changes: [
      ['runs', runId],
      ['runs', 'list']
    ],
    onDone: onAnswered,
    isQuiet: true
  })
  return (
    <Stack gap="sm">
      <TextInput
        label="Comment"
        description="The agent reads it when the call is rejected."
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={2_000}
      />
      <Checkbox
        label="Approve such calls for the rest of the conversation"
        checked={forSession}
        onChange={(event) => setForSession(event.currentTarget.checked)}
      />
      {deciding.error ? <ErrorNotice error={deciding.error} /> : null}
      <Group gap="xs">
        <Button
          size="sm"
          loading={deciding.isPending}
          onClick={() => deciding.mutate({ decision: 'approve', forSession })}
        >
          Approve
        </Button>
        <Button
          size="sm"
          variant="default"
          disabled={deciding.isPending}
          onClick={() => deciding.mutate({ decision: 'reject', ...(comment && { comment }) })}
        >
          Reject
        </Button>
      </Group>
    </Stack>
  )
}
