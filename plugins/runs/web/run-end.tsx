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
  readonly finishReason?: Run['finishReason'] | undefined
}

/** For answers that are not complete, by the reason why the model stopped. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  length: 'The answer is incomplete: the model reached its output limit.',
  content_filter: 'The answer is incomplete: a content filter of the provider stopped the model.',
  other: 'The answer may be incomplete: the model stopped without a known reason.'
}

/** Below an answer: how its run ended, where that was not well, and what can be done with it. */
export function RunEnd({ run }: { run: Props }) {
  const { id, status = 'completed', content, error, usage, finishReason } = run
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
      {status === 'completed' && finishReason && INCOMPLETE[finishReason] && (
        <Text size="sm" c="dimmed" role="note">
          {INCOMPLETE[finishReason]}
        </Text>
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
