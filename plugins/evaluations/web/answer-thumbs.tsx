import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, useAction } from 'agent-platform/console'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import type { Thumb } from './queries.ts'
import { KEY, recentFeedbackQuery } from './queries.ts'

/** Below an answer in a conversation: a word about it with one press. Comments and datasets are on the run's page. */
export default function AnswerThumbs({ runId }: { runId: string }) {
  const recent = useQuery(recentFeedbackQuery)
  const said = recent.data?.get(runId)
  const saving = useAction({
    run: (thumb: Thumb) =>
      api.put('/v1/agents/runs/{runId}/feedback', { params: { path: { runId } }, body: { thumb } }),
    changes: [KEY]
  })
  const thumb = (value: Thumb, label: string, Icon: typeof ThumbsUp) => (
    <Tooltip label={label}>
      <ActionIcon
        variant={said === value ? 'light' : 'subtle'}
        color={said === value ? undefined : 'gray'}
        size="sm"
        aria-label={label}
        aria-pressed={said === value}
        loading={saving.isPending && saving.variables === value}
        onClick={() => saving.mutate(value)}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <>
      {thumb('up', 'Good answer', ThumbsUp)}
      {thumb('down', 'Not a good answer', ThumbsDown)}
    </>
  )
}
