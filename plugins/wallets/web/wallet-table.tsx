import { Badge, Code, Group } from '@mantine/core'
import { AgentLink, api, EmptyState, ListTable, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { Wallet as Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Wallet } from './queries.ts'

/** The wallets of an agent, or all. */
export function WalletTable({ agentId, create }: { agentId?: string; create: ReactNode }) {
  const list = useList(
    ['wallets', 'list', agentId ?? ''],
    (cursor, signal) =>
      api.get('/v1/wallets', {
        params: { query: { limit: 50, cursor, ...(agentId && { agentId }) } },
        signal
      }),
    { refresh: 15_000 }
  )
  return (
    <ListTable
      label="Wallets"
      list={list}
      empty={
        <EmptyState icon={Icon} title="There are no wallets" action={create}>
          By a wallet an agent pays within limits that you set: people, services, and answers that cost
          something.
        </EmptyState>
      }
      columns={[
        {
          header: 'Wallet',
          to: ({ id }: Wallet) => `/wallets/${id}`,
          cell: ({ name, address }) => name ?? `${address.slice(0, 8)}…${address.slice(-6)}`,
          note: ({ address }) => <Code>{address}</Code>
        },
        !agentId && { header: 'Agent', cell: (it: Wallet) => <AgentLink agentId={it.agentId} /> },
        { header: 'Network', cell: ({ network }: Wallet) => network },
        { header: 'State', cell: (it: Wallet) => <State wallet={it} /> },
        { header: 'Created', cell: ({ createdAt }: Wallet) => <TimeAgo at={createdAt} /> }
      ]}
    />
  )
}

export const State = ({ wallet: { status, frozen, primary } }: { wallet: Wallet }) => (
  <Group gap="xs">
    <StatusBadge status={frozen && status === 'active' ? 'frozen' : status} />
    {primary && (
      <Badge variant="default" radius="sm" tt="none">
        primary
      </Badge>
    )}
  </Group>
)
