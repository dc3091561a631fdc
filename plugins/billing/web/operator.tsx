import { Group } from '@mantine/core'
import {
  ActionButton,
  api,
  ConfirmButton,
  ListTable,
  Panel,
  TimeAgo,
  useAction,
  useList
} from 'agent-platform/console'
import type { Invoice } from './invoices.tsx'
import { amountOf } from './invoices.tsx'
import { ALL, REFRESH } from './queries.ts'

/** Invoices of everyone in the project that an operator settles. */
export function Operator() {
  const list = useList(
    ['billing', 'open-invoices'],
    (cursor, signal) => {
      const query = { limit: 50, cursor, all: true, status: 'open' as const }
      return api.get('/v1/billing/invoices', { params: { query }, signal })
    },
    { refresh: REFRESH }
  )
  return (
    <Panel title="Open invoices" description="What was bought follows when its invoice is marked as paid.">
      <ListTable
        label="Open invoices"
        list={list}
        empty="No invoice is open."
        columns={[
          { header: 'Whose', cell: ({ owner }: Invoice) => owner, maxWidth: 200 },
          { header: 'For', cell: ({ description }) => description, note: ({ id }) => id, maxWidth: 320 },
          { header: 'Due', cell: ({ dueAt }) => (dueAt ? <TimeAgo at={dueAt} /> : '–') },
          { header: 'Amount', cell: amountOf, isNumber: true },
          {
            header: 'Settle',
            cell: (invoice) => invoice.provider === 'manual' && <Settle invoice={invoice} />,
            isAction: true
          }
        ]}
      />
    </Panel>
  )
}

function Settle({ invoice }: { invoice: Invoice }) {
  const { id: invoiceId, description, owner } = invoice
  const params = { path: { invoiceId } }
  const paying = useAction({
    run: () => api.post('/v1/billing/invoices/{invoiceId}/pay', { params }),
    changes: [ALL],
    done: `${description} of ${owner} is paid`
  })
  const voiding = useAction({
    run: () => api.post('/v1/billing/invoices/{invoiceId}/void', { params }),
    changes: [ALL],
    done: 'The invoice is void'
  })
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <ActionButton
        size="compact-sm"
        onClick={() => paying.mutate()}
        loading={paying.isPending}
        aria-label={`Mark as paid: ${description} of ${owner}`}
      >
        Mark as paid
      </ActionButton>
      <ConfirmButton
        size="compact-sm"
        title="Void this invoice?"
        warning={`${owner} does not get ${description}, and may buy it anew.`}
        onClick={() => voiding.mutate()}
        loading={voiding.isPending}
        aria-label={`Void: ${description} of ${owner}`}
      >
        Void
      </ConfirmButton>
    </Group>
  )
}
