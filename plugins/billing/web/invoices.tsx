import { Anchor } from '@mantine/core'
import { api, ListTable, Panel, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { money } from './money.ts'
import { REFRESH } from './queries.ts'

export type Invoice = Schemas['Invoice']

export const amountOf = ({ amount, currency }: Invoice) => money(amount, currency)
export const refundOf = ({ amountRefunded, currency, isDisputed }: Invoice) =>
  isDisputed ? 'disputed' : amountRefunded > 0 && `${money(amountRefunded, currency)} refunded`

/** Of the caller. */
export function Invoices() {
  const list = useList(
    ['billing', 'invoices'],
    (cursor, signal) => api.get('/v1/billing/invoices', { params: { query: { limit: 50, cursor } }, signal }),
    { refresh: REFRESH }
  )
  return (
    <Panel title="Invoices">
      <ListTable
        label="Invoices"
        list={list}
        empty="Nothing was bought yet."
        columns={[
          { header: 'When', cell: ({ createdAt }: Invoice) => <TimeAgo at={createdAt} /> },
          { header: 'For', cell: ({ description }) => description, note: ({ id }) => id, maxWidth: 320 },
          { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, note: refundOf },
          { header: 'Credits', cell: ({ credits }) => (credits === '0' ? '–' : credits), isNumber: true },
          { header: 'Amount', cell: amountOf, isNumber: true },
          {
            header: 'See it',
            cell: ({ url, provider }) => url !== null && provider !== 'manual' && <Outside url={url} />,
            isAction: true
          }
        ]}
      />
    </Panel>
  )
}

const Outside = ({ url }: { url: string }) =>
  /^https?:/.test(url) ? (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
      Open
    </Anchor>
  ) : null
