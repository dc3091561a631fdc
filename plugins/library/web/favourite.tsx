import { ActionIcon, Tooltip } from '@mantine/core'
import { api, useAction } from 'agent-platform/console'
import { Star } from 'lucide-react'
import type { Item } from './queries.ts'

/** A star that is pressed while the item is a favourite. */
export function Favourite({ item, size = 'md' }: { item: Item; size?: 'md' | 'input-sm' }) {
  const marking = useAction({
    run: (favourite: boolean) =>
      api.patch('/v1/library/{itemId}', { params: { path: { itemId: item.id } }, body: { favourite } }),
    changes: [['library']]
  })
  const label = item.favourite ? 'Remove from the favourites' : 'Add to the favourites'
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={size === 'md' ? 'subtle' : 'default'}
        color={item.favourite ? 'yellow.7' : 'gray'}
        size={size}
        aria-label={`${label}: ${item.name}`}
        aria-pressed={item.favourite}
        disabled={item.access === 'read'}
        loading={marking.isPending}
        onClick={() => marking.mutate(!item.favourite)}
      >
        <Star size={16} fill={item.favourite ? 'currentColor' : 'none'} />
      </ActionIcon>
    </Tooltip>
  )
}
