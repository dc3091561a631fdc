import { Badge, Button, SegmentedControl } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  PageFrame,
  TimeAgo,
  useAddress,
  useList,
  useListSearch
} from 'agent-platform/console'
import { Plus, Workflow } from 'lucide-react'
import { useLocation } from 'wouter'
import { NewWorkflow } from './new-workflow.tsx'

export default function WorkflowList() {
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const isPublic = search.get('of') === 'everyone'
  const find = useListSearch('workflows')
  const list = useList(
    ['workflows', 'list', isPublic],
    (cursor, signal) =>
      api.get(isPublic ? '/v1/workflows/public' : '/v1/workflows', {
        params: { query: { limit: 50, cursor, query: find.query } },
        signal
      }),
    { search: find }
  )
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: 'yes' })}>
      New workflow
    </Button>
  )
  return (
    <PageFrame
      title="Workflows"
      description="Steps of agents, tools and people that survive restarts."
      actions={create}
    >
      <SegmentedControl
        aria-label="Whose"
        mb="md"
        data={[
          { value: 'own', label: 'Own' },
          { value: 'everyone', label: 'Public' }
        ]}
        value={isPublic ? 'everyone' : 'own'}
        onChange={(of) => change({ of: of === 'own' ? null : of })}
      />
      <ListTable
        label="Workflows"
        list={list}
        search={find}
        empty={
          <EmptyState
            icon={Workflow}
            title={isPublic ? 'No public workflows' : 'No workflows yet'}
            action={isPublic ? undefined : create}
          >
            {isPublic
              ? 'What others publish is listed here, to be read and copied.'
              : 'A workflow puts agents, tools, conditions and approvals in order.'}
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            to: ({ id }) => `/workflows/${id}`,
            cell: ({ name }) => name,
            note: ({ description }) => description
          },
          {
            header: 'Visibility',
            cell: ({ visibility }) => (
              <Badge variant="default" radius="sm" tt="none">
                {visibility}
              </Badge>
            )
          },
          { header: 'Version', cell: ({ version }) => version, isNumber: true },
          { header: 'Owner', cell: ({ owner }) => owner },
          { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
        ]}
      />
      <NewWorkflow
        isOpen={search.get('new') !== null}
        onClose={() => change({ new: null })}
        onCreated={(id) => navigate(`/workflows/${id}`)}
      />
    </PageFrame>
  )
}
