import { Anchor, Code, Text } from '@mantine/core'
import { api, ListTable, Panel, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { Link } from 'wouter'
import type { Transfer } from './queries.ts'

/** What a wallet paid, and how that stands on its network. */
export function Transfers({ walletId }: { walletId: string }) {
  const list = useList(
    ['wallets', walletId, 'transfers'],
    (cursor, signal) =>
      api.get('/v1/wallets/{walletId}/transfers', {
        params: { path: { walletId }, query: { limit: 20, cursor } },
        signal
      }),
    { refresh: 5_000 }
  )
  return (
    <Panel title="Payments">
      <ListTable
        label="Payments"
        list={list}
        empty="Nothing was paid yet."
        minWidth={700}
        columns={[
          {
            header: 'Amount',
            cell: ({ amount, symbol }: Transfer) => `${amount} ${symbol}`,
            note: ({ approved }) => (approved ? 'A person agreed' : 'Within its limits')
          },
          {
            header: 'To',
            cell: ({ host, to }: Transfer) => host ?? <Code>{to}</Code>,
            note: ({ host, to }) => host && <Code>{to}</Code>
          },
          {
            header: 'State',
            cell: ({ status }: Transfer) => <StatusBadge status={status} />,
            note: ({ failure }) => failure
          },
          {
            header: 'Transaction',
            cell: ({ hash, explorerUrl }: Transfer) => <Hash hash={hash} url={explorerUrl} />
          },
          {
            header: 'Run',
            cell: ({ runId }: Transfer) =>
              runId ? (
                <Anchor component={Link} href={`/runs/${runId}`} size="sm">
                  Open
                </Anchor>
              ) : (
                '–'
              )
          },
          { header: 'Started', cell: ({ createdAt }: Transfer) => <TimeAgo at={createdAt} /> }
        ]}
      />
    </Panel>
  )
}

function Hash({ hash, url }: { hash: string | null; url: string | null }) {
  if (hash === null) return <Text size="sm">–</Text>
  const short = `${hash.slice(0, 10)}…`
  return url ? (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
      {short}
    </Anchor>
  ) : (
    <Code title={hash}>{short}</Code>
  )
}
