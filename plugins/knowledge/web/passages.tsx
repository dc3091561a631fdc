import { Anchor, Card, Group, Mark, Stack, Text } from '@mantine/core'
import { api, EmptyState, ListView, useList } from 'agent-platform/console'
import { FileText, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Passage } from './queries.ts'

/** What a search finds in one space, or in all: the passages, each with where it stands. */
export function Passages({ query, spaceId }: { query: string; spaceId?: string }) {
  const found = useList(['knowledge', spaceId ?? 'all', 'search', query], (cursor, signal) => {
    const page = { query, limit: 20, cursor }
    return spaceId
      ? api.get('/v1/knowledge/{spaceId}/search', { params: { path: { spaceId }, query: page }, signal })
      : api.get('/v1/knowledge/search', { params: { query: page }, signal })
  })
  return (
    <ListView
      list={found}
      empty={
        <EmptyState icon={SearchX} title="Nothing was found">
          Try other words. What was just imported is found by its words at once, by what it means a moment
          later.
        </EmptyState>
      }
    >
      {(passages) => (
        <Stack component="ol" gap="sm" m={0} p={0} aria-label="Passages" style={{ listStyle: 'none' }}>
          {passages.map((passage) => (
            <Card
              key={`${passage.documentId ?? passage.url} ${passage.version} ${passage.start}`}
              component="li"
              withBorder
              padding="md"
            >
              <PassageCard passage={passage} />
            </Card>
          ))}
        </Stack>
      )}
    </ListView>
  )
}

function PassageCard({ passage }: { passage: Passage }) {
  const { title, path, heading, page, score, url } = passage
  const place = [path, heading, page === null ? null : `page ${page}`].filter(Boolean).join(' › ')
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
        <Group gap={8} wrap="nowrap" miw={0}>
          <FileText size={16} aria-hidden style={{ flex: 'none' }} />
          <Source passage={passage}>{title}</Source>
        </Group>
        <Text size="xs" c="dimmed" flex="none">
          {Math.round(score * 100)} % fit
        </Text>
      </Group>
      {(place || url) && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {place || url}
        </Text>
      )}
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} lineClamp={10}>
        {marked(passage)}
      </Text>
    </Stack>
  )
}

/** Leads to the passage in the version that was found. */
function Source({ passage, children }: { passage: Passage; children: string }) {
  const { spaceId, documentId, version, start, end, url } = passage
  const style = { fw: 600, style: { overflowWrap: 'anywhere' } } as const
  if (documentId) {
    const at = new URLSearchParams({ version: `${version}`, start: `${start}`, end: `${end}` })
    return (
      <Anchor component={Link} href={`/knowledge/${spaceId}/documents/${documentId}?${at}`} {...style}>
        {children}
      </Anchor>
    )
  }
  if (url && /^https?:/i.test(url))
    return (
      <Anchor href={url} target="_blank" rel="noopener noreferrer" {...style}>
        {children}
      </Anchor>
    )
  return <Text {...style}>{children}</Text>
}

function marked({ text, start, highlights }: Passage): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const place of highlights.toSorted((a, b) => a.start - b.start)) {
    const [from, to] = [place.start - start, place.end - start]
    if (from < at || to > text.length) continue
    parts.push(text.slice(at, from), <Mark key={from}>{text.slice(from, to)}</Mark>)
    at = to
  }
  parts.push(text.slice(at))
  return parts
}
