import { Group, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  EmptyState,
  ErrorNotice,
  Grants,
  Loaded,
  PageFrame,
  SearchField,
  useAddress
} from 'agent-platform/console'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation, useParams } from 'wouter'
import { DocumentList } from './document-list.tsx'
import { Links } from './links.tsx'
import { Passages } from './passages.tsx'
import type { Space } from './queries.ts'
import { spaceQuery } from './queries.ts'
import { SpaceSettings } from './space-settings.tsx'

interface Tab {
  readonly key: string
  readonly title: string
  readonly show: (space: Space) => ReactNode
  readonly manages?: boolean
}
const tabs: readonly Tab[] = [
  { key: 'documents', title: 'Documents', show: (space) => <DocumentList space={space} /> },
  { key: 'search', title: 'Search', show: ({ id }) => <SpaceSearch spaceId={id} /> },
  { key: 'links', title: 'Links', show: ({ id }) => <Links spaceId={id} /> },
  { key: 'access', title: 'Access', manages: true, show: ({ id }) => <SpaceGrants spaceId={id} /> },
  {
    key: 'settings',
    title: 'Settings',
    manages: true,
    show: (space) => <SpaceSettings key={space.id} space={space} />
  }
]
const crumbs = [{ label: 'Knowledge', to: '/knowledge' }]

export default function SpacePage() {
  const { spaceId = '', tab } = useParams()
  const [, navigate] = useLocation()
  const space = useQuery(spaceQuery(spaceId))
  if (space.error)
    return (
      <PageFrame title="Space" crumbs={crumbs}>
        <ErrorNotice error={space.error} retry={() => space.refetch()} />
      </PageFrame>
    )
  const shown = tabs.filter(({ manages }) => !manages || space.data?.access === 'manage')
  const open = shown.find(({ key }) => key === tab) ?? (shown[0] as Tab)
  return (
    <PageFrame title={space.data?.name ?? 'Space'} description={space.data?.description} crumbs={crumbs}>
      <Loaded query={space}>
        {(space) => (
          <Tabs
            value={open.key}
            onChange={(key) => navigate(`/knowledge/${spaceId}/${key}`)}
            keepMounted={false}
          >
            <Tabs.List mb="lg">
              {shown.map(({ key, title }) => (
                <Tabs.Tab key={key} value={key}>
                  {title}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={open.key}>{open.show(space)}</Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </PageFrame>
  )
}

function SpaceSearch({ spaceId }: { spaceId: string }) {
  const { search, change } = useAddress()
  const query = search.get('q') ?? ''
  return (
    <>
      <Group mb="md" maw={560}>
        <SearchField
          label="Search this space, as you would ask"
          value={query}
          maxLength={1_000}
          onChange={(q) => change({ q })}
        />
      </Group>
      {query ? (
        <Passages query={query} spaceId={spaceId} />
      ) : (
        <EmptyState icon={Search} title="Ask this space">
          It is searched by words and by meaning. What is found is shown as an agent would read it, each
          passage with where it stands.
        </EmptyState>
      )}
    </>
  )
}

const SpaceGrants = ({ spaceId }: { spaceId: string }) => {
  const path = { spaceId }
  return (
    <Grants
      of={['knowledge', spaceId, 'grants']}
      levels={{
        read: 'read and search',
        write: 'edit and import too',
        manage: 'grant and delete too'
      }}
      list={(cursor, signal) =>
        api.get('/v1/knowledge/{spaceId}/grants', { params: { path, query: { limit: 50, cursor } }, signal })
      }
      grant={(body) => api.post('/v1/knowledge/{spaceId}/grants', { params: { path }, body })}
      revoke={(grantId) =>
        api.delete('/v1/knowledge/{spaceId}/grants/{grantId}', { params: { path: { ...path, grantId } } })
      }
    />
  )
}
