import { Alert, Badge, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice, Loaded, PageFrame, StatusBadge } from 'agent-platform/console'
import { TriangleAlert } from 'lucide-react'
import { useLocation, useParams } from 'wouter'
import { ChangesOfPack } from './change-list.tsx'
import { DeadLettered } from './dead-lettered.tsx'
import { PackActions } from './pack-actions.tsx'
import { PackOverview } from './pack-overview.tsx'
import { PackSettings } from './pack-settings.tsx'
import { PageNotice } from './page-notice.tsx'
import type { Pack } from './queries.ts'
import { packQuery } from './queries.ts'

/** A pack: how it is, its settings, what was done to it, and what it could not handle. */
export default function PackPage() {
  const { name = '' } = useParams()
  const pack = useQuery(packQuery(name))
  const { data } = pack
  return (
    <PageFrame
      title={name}
      crumbs={[{ label: 'Packs', to: '/packs' }]}
      description={data?.summary && sentenceOf(data.summary)}
      badge={data && <StatusBadge status={data.status} />}
      actions={data && <PackActions pack={data} />}
    >
      {pack.error && data ? <ErrorNotice error={pack.error} retry={() => pack.refetch()} /> : null}
      <Loaded query={pack}>{(pack) => <PackTabs key={name} pack={pack} />}</Loaded>
    </PageFrame>
  )
}

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function PackTabs({ pack }: { pack: Pack }) {
  const { name, reason, status, settings, deadLettered } = pack
  const { tab = 'overview' } = useParams()
  const [, navigate] = useLocation()
  return (
    <Stack gap="md">
      {reason && (
        <Alert
          color={status === 'failed' ? 'red' : 'orange'}
          variant="light"
          icon={<TriangleAlert aria-hidden />}
          title={status === 'failed' ? 'It failed' : 'It waits'}
          style={{ overflowWrap: 'anywhere' }}
        >
          {reason}
        </Alert>
      )}
      <PageNotice pack={pack} />
      <Tabs
        value={tab}
        onChange={(tab) => navigate(tab === 'overview' ? `/packs/${name}` : `/packs/${name}/${tab}`)}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          {Object.keys(settings).length > 0 && <Tabs.Tab value="settings">Settings</Tabs.Tab>}
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
          {(deadLettered.length > 0 || tab === 'dead-lettered') && (
            <Tabs.Tab
              value="dead-lettered"
              rightSection={
                <Badge size="xs" color="red" circle autoContrast>
                  {deadLettered.length}
                </Badge>
              }
            >
              Dead-lettered facts
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <PackOverview pack={pack} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <PackSettings pack={pack} />
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          <ChangesOfPack name={name} />
        </Tabs.Panel>
        <Tabs.Panel value="dead-lettered">
          <DeadLettered pack={pack} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
