import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, useAction } from 'agent-platform/console'
import { Pin, PinOff } from 'lucide-react'
import { Link } from 'wouter'
import { appQuery, layoutQuery } from './queries.ts'

/** Apps that are pinned for all pages, each leading to its first page. */
export function Pinned() {
  const { data } = useQuery(layoutQuery)
  if (!data || data.pins.length === 0) return null
  return (
    <Group component="nav" aria-label="Pinned apps" gap="xs">
      {data.pins.map((pluginId) => (
        <PinnedApp key={pluginId} pluginId={pluginId} />
      ))}
    </Group>
  )
}

function PinnedApp({ pluginId }: { pluginId: string }) {
  const { data } = useQuery(appQuery(pluginId))
  const page = data?.pages[0]?.name
  return (
    <Button
      component={Link}
      href={page ? `/apps/${pluginId}/pages/${page}` : `/apps/${pluginId}`}
      variant="default"
      leftSection={<Pin size={14} aria-hidden />}
      maw={260}
    >
      {data?.name ?? pluginId}
    </Button>
  )
}

/** Pins an app among the caller's own, or takes it away from there. */
export function PinButton({ pluginId }: { pluginId: string }) {
  const { data } = useQuery(layoutQuery)
  const pins = data?.pins ?? []
  const isPinned = pins.includes(pluginId)
  const pinning = useAction({
    run: () =>
      api.put('/v1/ui-plugins/layout', {
        params: { query: { scope: 'all' } },
        body: { pins: isPinned ? pins.filter((it) => it !== pluginId) : [...pins, pluginId] },
        headers: { 'if-match': `"${data?.version ?? 0}"` }
      }),
    changes: [layoutQuery.queryKey]
  })
  const Icon = isPinned ? PinOff : Pin
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => pinning.mutate()}
      loading={pinning.isPending}
      disabled={!data}
    >
      {isPinned ? 'Unpin' : 'Pin'}
    </Button>
  )
}
