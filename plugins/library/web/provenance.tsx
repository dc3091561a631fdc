import { Anchor, Code, Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded, TimeAgo } from 'agent-platform/console'
import { Bot, FileText, MessageSquare, Play, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Item } from './queries.ts'
import { provenanceQuery } from './queries.ts'

const steps: Readonly<Record<string, { title: string; icon: ReactNode; to?: (id: string) => string }>> = {
  file: { title: 'Stored as a file', icon: <FileText size={14} /> },
  run: { title: 'Made in a run', icon: <Play size={14} />, to: (id) => `/runs/${id}` },
  session: { title: 'Of a session', icon: <MessageSquare size={14} />, to: (id) => `/sessions/${id}` },
  call: { title: 'Made by a call of a tool', icon: <Wrench size={14} /> },
  agent: { title: 'Of an agent', icon: <Bot size={14} />, to: (id) => `/agents/${id}` }
}

/** Where the item came from, the latest first. */
export function Provenance({ item }: { item: Item }) {
  const provenance = useQuery(provenanceQuery(item.id))
  return (
    <Loaded query={provenance}>
      {({ chain }) => (
        <Timeline active={chain.length} bulletSize={28} lineWidth={2}>
          {chain.map(({ type, id, actor, at, sha256 }) => {
            const { title = `Of a ${type.replaceAll('_', ' ')}`, icon, to } = steps[type] ?? {}
            return (
              <Timeline.Item key={`${type} ${id}`} title={title} bullet={icon}>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {to ? (
                    <Anchor component={Link} href={to(id)} size="sm">
                      {id}
                    </Anchor>
                  ) : (
                    <Code>{id}</Code>
                  )}
                </Text>
                {(actor || at) && (
                  <Text size="sm" c="dimmed">
                    {actor && <>by {actor} </>}
                    {at && <TimeAgo at={at} />}
                  </Text>
                )}
                {sha256 && (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    SHA-256 {sha256}
                  </Text>
                )}
              </Timeline.Item>
            )
          })}
        </Timeline>
      )}
    </Loaded>
  )
}
