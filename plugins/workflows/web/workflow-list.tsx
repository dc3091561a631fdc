import { Anchor, Badge, Button, SegmentedControl, Table, Text } from '@mantine/core'
import { api, EmptyState, ListView, PageFrame, TimeAgo, useAddress, useList } from 'agent-platform/console'
import { Plus, Workflow } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { NewWorkflow } from './new-workflow.tsx'

export default function WorkflowList() {
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const isPublic = search.get('of') === 'everyone'
  const list = useList(['workflows', 'list', isPublic], (cursor, signal) =>
    api.get(isPublic ? '/v1/workflows/public' : '/v1/workflows', {
      params: { query: { limit: 50, cursor } },
      signal
    })
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
      <ListView
        list={list}
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
      >
        {(workflows) => (
          <Table.ScrollContainer minWidth={520}>
            <Table verticalSpacing="sm" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Visibility</Table.Th>
                  <Table.Th>Version</Table.Th>
                  <Table.Th>Owner</Table.Th>
                  <Table.Th>Changed</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {workflows.map(({ id, name, description, visibility, version, owner, updatedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td maw={380}>
                      <Anchor
                        component={Link}
                        href={`/workflows/${id}`}
                        size="sm"
                        fw={550}
                        c="inherit"
                        lineClamp={2}
                      >
                        {name}
                      </Anchor>
                      {description && (
                        <Text size="xs" c="dimmed" truncate>
                          {description.slice(0, 200)}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>
                      <Badge variant="default" radius="sm" tt="none">
                        {visibility}
                      </Badge>
                    </Table.Td>
                    <Table.Td>{version}</Table.Td>
                    <Table.Td>{owner}</Table.Td>
                    <Table.Td>
                      <TimeAgo at={updatedAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
      <NewWorkflow
        isOpen={search.get('new') !== null}
        onClose={() => change({ new: null })}
        onCreated={(id) => navigate(`/workflows/${id}`)}
      />
    </PageFrame>
  )
}
