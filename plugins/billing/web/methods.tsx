import { Badge } from '@mantine/core'
import { ActionButton, api, ListTable, Panel, useAction, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { leave, returnUrl } from './checkout.ts'

type Method = Schemas['PaymentMethod']

/** What the payment provider has saved, and its own pages. */
export function Methods() {
  const list = useList(['billing', 'payment-methods'], (cursor, signal) =>
    api.get('/v1/billing/payment-methods', { params: { query: { limit: 50, cursor } }, signal })
  )
  const opening = useAction({
    run: () => api.post('/v1/billing/portal', { body: { returnUrl } }),
    done: ({ data }) =>
      leave(data.url) ? undefined : 'This page is the portal: an operator settles invoices here'
  })
  const portal = (
    <ActionButton variant="default" onClick={() => opening.mutate()} loading={opening.isPending}>
      Billing portal
    </ActionButton>
  )
  return (
    <Panel
      title="Payment methods"
      description="They are kept by the payment provider alone."
      actions={portal}
    >
      <ListTable
        label="Payment methods"
        list={list}
        empty="None is saved."
        columns={[
          { header: 'Kind', cell: ({ brand, type }: Method) => brand ?? type },
          { header: 'Number', cell: ({ last4 }) => (last4 ? `•••• ${last4}` : '–') },
          {
            header: 'Good until',
            cell: ({ expiresMonth, expiresYear }) => (expiresYear ? `${expiresMonth}/${expiresYear}` : '–')
          },
          { header: 'Usual one', cell: ({ isDefault }) => isDefault && <Badge variant="light">usual</Badge> }
        ]}
      />
    </Panel>
  )
}
