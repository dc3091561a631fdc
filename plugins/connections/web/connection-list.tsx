import { Alert, Anchor, Button, Group, Modal, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, EmptyState, ListView, PageFrame, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { Link2, Plus } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import { ProviderIcon } from './provider-icon.tsx'
import { ProviderList } from './provider-list.tsx'
import { connectionQuery, providersQuery, REFRESH } from './queries.ts'

/** The services in which the caller's agents may act. */
export default function ConnectionList() {
  const [search, setSearch] = useSearchParams()
  const providers = useQuery(providersQuery).data ?? []
  const list = useList(
    ['connections', 'list'],
    (cursor, signal) =>
      api.get('/v1/oauth/connections', { params: { query: { limit: 50, cursor } }, signal }),
    { refresh: REFRESH }
  )
  const close = () => setSearch({}, { replace: true })
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setSearch({ new: '' })}>
      Connect a service
    </Button>
  )
  const returned = search.get('connectionId')
  return (
    <PageFrame
      title="Connections"
      description="Services in which your agents act with your consent. Take it back whenever you like."
      actions={create}
    >
      <Stack gap="lg">
        {returned && (
          <Outcome connectionId={returned} isActive={search.get('status') === 'active'} onClose={close} />
        )}
        <ListView
          list={list}
          empty={
            <EmptyState icon={Link2} title="No connections yet" action={create}>
              Connect a service, and map it to the tools that need it.
            </EmptyState>
          }
        >
          {(connections) => (
            <Table.ScrollContainer minWidth={560}>
              <Table verticalSpacing="sm" highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th>Account</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th>Made</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {connections.map(({ id, name, providerKey, account, status, statusReason, createdAt }) => {
                    const provider = providers.find(({ key }) => key === providerKey)
                    return (
                      <Table.Tr key={id}>
                        <Table.Td maw={300}>
                          <Group gap="sm" wrap="nowrap">
                            {provider && <ProviderIcon icon={provider.icon} size={24} />}
                            <Anchor
                              component={Link}
                              href={`/connections/${id}`}
                              fw={550}
                              c="inherit"
                              style={anywhere}
                            >
                              {name}
                            </Anchor>
                          </Group>
                        </Table.Td>
                        <Table.Td maw={220} style={anywhere}>
                          {account ?? '–'}
                        </Table.Td>
                        <Table.Td maw={280}>
                          <StatusBadge status={status} />
                          {statusReason && (
                            <Text size="xs" c="dimmed" lineClamp={2} mt={4} style={anywhere}>
                              {statusReason}
                            </Text>
                          )}
                        </Table.Td>
                        <Table.Td>
                          <TimeAgo at={createdAt} />
                        </Table.Td>
                      </Table.Tr>
                    )
                  })}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </ListView>
      </Stack>
      <Modal opened={search.has('new')} onClose={close} title="Connect a service" size="lg">
        <ProviderList onClose={close} />
      </Modal>
    </PageFrame>
  )
}

/** How it went at the provider: told by the record, and not by the address. */
function Outcome(props: { connectionId: string; isActive: boolean; onClose: () => void }) {
  const { connectionId, isActive, onClose } = props
  const { data } = useQuery(connectionQuery(connectionId))
  if (!data) return null
  const isConnected = isActive && data.status === 'active'
  return (
    <Alert
      color={isConnected ? 'green' : 'orange'}
      variant="light"
      title={isConnected ? `${data.name} is connected` : `${data.name} was not connected`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {isConnected
        ? `Your agents may act there${data.account ? ` as ${data.account}` : ''}. Map it to a tool to use it.`
        : (data.statusReason ?? 'Try again, or look at the connection.')}
    </Alert>
  )
}

const anywhere = { overflowWrap: 'anywhere' } as const
