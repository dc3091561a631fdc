import { ActionIcon, Alert, Anchor, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { Contributed, StatusBadge, useContributions } from 'agent-platform/console'
import type { Run } from 'agent-platform-client'
import { Check, CircleAlert, Copy } from 'lucide-react'
import { Link } from 'wouter'
import { hasEnded } from './run-view.ts'

interface Props {
  readonly id: string
  readonly status?: Run['status']
  readonly content: string
  readonly error?: Run['error'] | undefined
  readonly usage?: Run['usage'] | undefined
}

/** Below an answer: how its run ended, where that was not well, and what can be done with it. */
export function RunEnd({ run: { id, status = 'completed', content, error, usage } }: { run: Props }) {
  const actions = useContributions('answerActions')
  return (
    <>
      {error && (
        <Alert
          color="red"
          variant="light"
          icon={<CircleAlert aria-hidden />}
          title="The run failed"
          role="alert"
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {error.message}
          </Text>
          <Text size="xs" c="dimmed">
            {error.code}
          </Text>
        </Alert>
      )}
      <Group gap="xs">
        {status === 'cancelled' && <StatusBadge status="cancelled" />}
        {hasEnded({ status }) && content && (
          <CopyButton value={content}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? 'Copied' : 'Copy'}>
                <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label="Copy answer">
                  {copied ? <Check size={14} /> : <Copy size={14} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
        )}
        {hasEnded({ status }) &&
          actions.map(({ key, load }) => <Contributed key={key} load={load} runId={id} />)}
        <Anchor component={Link} href={`/runs/${id}`} size="xs">
          Run details
        </Anchor>
        {usage && (
          <Text size="xs" c="dimmed">
            {usage.inputTokens + usage.outputTokens} tokens
          </Text>
        )}
      </Group>
    </>
  )
}
