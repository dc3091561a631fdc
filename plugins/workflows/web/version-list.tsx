import { Badge } from '@mantine/core'
import { api, ListTable, TimeAgo, useList } from 'agent-platform/console'
import type { Workflow } from 'agent-platform-client'

/** Each definition that a workflow had. */
export function VersionList({ workflow: { id, version } }: { workflow: Workflow }) {
  const list = useList(['workflows', id, 'versions', 'list', version], (cursor, signal) =>
    api.get('/v1/workflows/{id}/versions', { params: { path: { id }, query: { limit: 50, cursor } }, signal })
  )
  const newest = list.data?.pages[0]?.data[0]?.id
  return (
    <ListTable
      label="Versions"
      list={list}
      minWidth={320}
      columns={[
        {
          header: 'Version',
          to: (row) => `/workflows/${id}/versions/${row.version}`,
          cell: (row) => `Version ${row.version}`
        },
        {
          header: 'State',
          cell: (row) =>
            row.id === newest && (
              <Badge variant="default" radius="sm" tt="none">
                Current
              </Badge>
            )
        },
        { header: 'Saved', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
      ]}
    />
  )
}
