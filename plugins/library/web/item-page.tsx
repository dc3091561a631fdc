import { Button, Group, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice, Loaded, PageFrame, useAction } from 'agent-platform/console'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation, useParams } from 'wouter'
import { Favourite } from './favourite.tsx'
import { ItemDetails } from './item-details.tsx'
import { ItemPreview } from './item-preview.tsx'
import { Provenance } from './provenance.tsx'
import type { Item } from './queries.ts'
import { download, itemQuery } from './queries.ts'
import { Sharing } from './sharing.tsx'

interface Tab {
  readonly key: string
  readonly title: string
  readonly show: (item: Item) => ReactNode
}
const tabs: readonly Tab[] = [
  { key: 'preview', title: 'Preview', show: (item) => <ItemPreview item={item} /> },
  { key: 'details', title: 'Details', show: (item) => <ItemDetails key={item.id} item={item} /> },
  { key: 'sharing', title: 'Sharing', show: (item) => <Sharing item={item} /> },
  { key: 'origin', title: 'Origin', show: (item) => <Provenance item={item} /> }
]
const crumbs = [{ label: 'Library', to: '/library' }]

export default function ItemPage() {
  const { itemId = '', tab } = useParams()
  const [, navigate] = useLocation()
  const item = useQuery(itemQuery(itemId))
  const downloading = useAction({ run: () => download(itemId) })
  if (item.error)
    return (
      <PageFrame title="File" crumbs={crumbs}>
        <ErrorNotice error={item.error} retry={() => item.refetch()} />
      </PageFrame>
    )
  // Who may not share has nothing to see there.
  const shown = tabs.filter(({ key }) => key !== 'sharing' || item.data?.access === 'manage')
  const open = shown.find(({ key }) => key === tab) ?? (shown[0] as Tab)
  return (
    <PageFrame
      title={item.data?.name ?? 'File'}
      description={item.data?.description}
      crumbs={crumbs}
      actions={
        item.data && (
          <Group gap="xs">
            <Favourite item={item.data} size="input-sm" />
            <Button
              leftSection={<Download size={16} aria-hidden />}
              loading={downloading.isPending}
              onClick={() => downloading.mutate()}
            >
              Download
            </Button>
          </Group>
        )
      }
    >
      <Loaded query={item}>
        {(item) => (
          <Tabs
            value={open.key}
            onChange={(key) => navigate(`/library/${itemId}/${key}`, { replace: true })}
            keepMounted={false}
          >
            <Tabs.List mb="lg">
              {shown.map(({ key, title }) => (
                <Tabs.Tab key={key} value={key}>
                  {title}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={open.key}>{open.show(item)}</Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </PageFrame>
  )
}
