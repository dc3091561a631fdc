import { Alert, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  Dialog,
  EmptyState,
  ListTable,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useList
} from 'agent-platform/console'
import { Link2, Plus } from 'lucide-react'
import { useSearchParams } from 'wouter'
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
  const iconOf = (providerKey: string) => {
    const provider = providers.find(({ key }) => key === providerKey)
    return provider && <ProviderIcon icon={provider.icon} size={24} />
  }
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
      description="Services in which your agents act with your consent. You can revoke a connection at any time."
      actions={create}
    >
      <Stack gap="lg">
        {returned && (
          <Outcome connectionId={returned} isActive={search.get('status') === 'active'} onClose={close} />
        )}
        <ListTable
          label="Connections"
          list={list}
          empty={
            <EmptyState icon={Link2} title="No connections yet" action={create}>
              Connect a service, and map it to the tools that need it.
            </EmptyState>
          }
          columns={[
            {
              header: 'Name',
              to: ({ id }) => `/connections/${id}`,
              icon: ({ providerKey }) => iconOf(providerKey),
              cell: ({ name }) => name,
              maxWidth: 300
            },
            { header: 'Account', cell: ({ account }) => account ?? '–', maxWidth: 220 },
            {
              header: 'State',
              cell: ({ status }) => <StatusBadge status={status} />,
              note: ({ statusReason }) => statusReason,
              maxWidth: 280
            },
            { header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
          ]}
        />
      </Stack>
      <Dialog opened={search.has('new')} onClose={close} title="Connect a service" size="lg">
        <ProviderList onClose={close} />
      </Dialog>
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
