import { Alert, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, PageFrame, useAddress, useSession } from 'agent-platform/console'
import { useEffect } from 'react'
import { Current } from './current.tsx'
import { Invoices } from './invoices.tsx'
import { Methods } from './methods.tsx'
import { money } from './money.ts'
import { Operator } from './operator.tsx'
import { Packs, Plans } from './plans.tsx'

/** The plan, what it includes, and what is paid for it. Which part is shown stands in the address. */
export default function Billing() {
  const { search, change } = useAddress()
  const { principal } = useSession()
  const isOperator = principal?.scopes.includes('platform:admin') ?? false
  const tabs = {
    plans: { title: 'Plans', show: () => <Plans /> },
    credits: { title: 'Buy credits', show: () => <Packs /> },
    invoices: { title: 'Invoices', show: () => <Invoices /> },
    methods: { title: 'Payment methods', show: () => <Methods /> },
    ...(isOperator && { operator: { title: 'Open invoices of all', show: () => <Operator /> } })
  }
  const asked = search.get('tab') ?? 'plans'
  const tab = asked in tabs ? asked : 'plans'
  const invoiceId = search.get('invoice')
  const checkoutId = search.get('checkout')
  return (
    <PageFrame title="Billing" description="Your plan, what it includes, and what you pay.">
      <Stack gap="lg">
        {invoiceId !== null && <ToPay invoiceId={invoiceId} onClose={() => change({ invoice: null })} />}
        {checkoutId !== null && <CameBack checkoutId={checkoutId} />}
        <Current />
        <Tabs
          value={tab}
          onChange={(next) => change({ tab: next === 'plans' ? null : next })}
          keepMounted={false}
        >
          <Tabs.List mb="lg">
            {Object.entries(tabs).map(([key, { title }]) => (
              <Tabs.Tab key={key} value={key}>
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {Object.entries(tabs).map(([key, { show }]) => (
            <Tabs.Panel key={key} value={key}>
              {show()}
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </PageFrame>
  )
}

/** How an invoice is paid that an operator settles. */
function ToPay({ invoiceId, onClose }: { invoiceId: string; onClose: () => void }) {
  const invoice = useQuery({
    queryKey: ['billing', 'invoice', invoiceId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/billing/invoices/{invoiceId}', { params: { path: { invoiceId } }, signal })).data,
    refetchInterval: 5_000
  })
  if (!invoice.data) return null
  const { status, amount, currency, description } = invoice.data
  const what = `${description}: ${money(amount, currency)}`
  if (status === 'paid')
    return (
      <Alert
        color="green"
        title={`${what} is paid`}
        withCloseButton
        closeButtonLabel="Close"
        onClose={onClose}
      >
        It is yours now.
      </Alert>
    )
  if (status !== 'open') return null
  return (
    <Alert
      color="blue"
      variant="light"
      title={what}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        It begins when an operator of this platform marks the invoice as paid. Tell them its number:{' '}
        {invoiceId}
      </Text>
    </Alert>
  )
}

/** What became of a checkout elsewhere: looked at until it is known. */
function CameBack({ checkoutId }: { checkoutId: string }) {
  const { change } = useAddress()
  const checkout = useQuery({
    queryKey: ['billing', 'checkout', checkoutId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/billing/checkouts/{checkoutId}', { params: { path: { checkoutId } }, signal }))
        .data,
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? 3_000 : false)
  })
  const status = checkout.data?.status
  useEffect(() => {
    if (status === 'expired') change({ checkout: null })
  }, [status, change])
  if (!status || status === 'expired') return null
  const isDone = status === 'completed'
  return (
    <Alert
      color={isDone ? 'green' : 'blue'}
      variant="light"
      title={isDone ? 'Thank you: it is paid' : 'It is not paid yet'}
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => change({ checkout: null })}
    >
      {isDone ? 'What you bought is yours now.' : 'Where you paid just now, it takes a moment.'}
    </Alert>
  )
}
