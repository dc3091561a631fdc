import { Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, EmptyState, ErrorNotice, Loaded, Panel, useAction, useAddress } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Receipt } from 'lucide-react'
import { leave, returnUrl } from './checkout.ts'
import { money } from './money.ts'
import { ALL, catalogueQuery, subscriptionQuery } from './queries.ts'

type Checkout = Schemas['Checkout']

/** Where a checkout leads: elsewhere, to its invoice on this page, or nowhere any more. */
function useCheckout(run: () => Promise<{ data: Checkout }>) {
  const { change } = useAddress()
  return useAction({
    run,
    changes: [ALL],
    done: ({ data }) => (data.status === 'completed' ? 'It is done' : undefined),
    onDone({ data }) {
      if (!leave(data.url) && data.status === 'open') change({ invoice: data.invoiceId })
    }
  })
}

/** Plans to choose from. */
export function Plans() {
  const catalogue = useQuery(catalogueQuery)
  const subscription = useQuery(subscriptionQuery)
  const current = subscription.data?.status === 'canceled' ? undefined : subscription.data
  return (
    <Loaded query={catalogue}>
      {({ plans, defaultPlanKey }) =>
        plans.length === 0 ? (
          <EmptyState icon={Receipt} title="There are no plans">
            An operator says by the settings of the pack billing which ones there are.
          </EmptyState>
        ) : (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
            {plans.map((plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                isCurrent={current ? current.plan.id === plan.id : plan.key === defaultPlanKey}
                isNext={current?.nextPlan === plan.id}
                hasPlan={Boolean(current)}
              />
            ))}
          </SimpleGrid>
        )
      }
    </Loaded>
  )
}

interface Props {
  plan: Schemas['BillingPlan']
  isCurrent: boolean
  isNext: boolean
  hasPlan: boolean
}

function PlanCard({ plan, isCurrent, isNext, hasPlan }: Props) {
  const {
    key: planKey,
    name,
    description,
    price,
    currency,
    interval,
    trialDays,
    credits,
    entitlements
  } = plan
  const choosing = useCheckout(() =>
    api.post('/v1/billing/checkout/subscription', { body: { planKey, returnUrl } })
  )
  return (
    <Panel title={name} {...(description && { description })}>
      <Stack h="100%">
        <Text size="xl" fw={600}>
          {price === 0 ? 'Free' : money(price, currency)}
          {price > 0 && (
            <Text span size="sm" c="dimmed">
              {' '}
              a {interval}
            </Text>
          )}
        </Text>
        <List size="sm" spacing={4}>
          {trialDays > 0 && <List.Item>{trialDays} days for nothing</List.Item>}
          {credits !== '0' && <List.Item>{credits} credits a period</List.Item>}
          {Object.entries(entitlements)
            .filter(([, value]) => value !== false && value !== 0)
            .map(([name, value]) => (
              <List.Item key={name}>{value === true ? name : `${name}: ${value}`}</List.Item>
            ))}
        </List>
        {choosing.error ? <ErrorNotice error={choosing.error} /> : null}
        <Group mt="auto">
          <Button
            fullWidth
            variant={isCurrent || isNext ? 'default' : 'filled'}
            disabled={isCurrent || isNext}
            onClick={() => choosing.mutate()}
            loading={choosing.isPending}
          >
            {isCurrent
              ? 'Your plan'
              : isNext
                ? 'From the next period on'
                : `${hasPlan ? 'Change to' : 'Choose'} ${name}`}
          </Button>
        </Group>
      </Stack>
    </Panel>
  )
}

/** Credits to buy beside the plan. */
export function Packs() {
  const catalogue = useQuery(catalogueQuery)
  return (
    <Loaded query={catalogue}>
      {({ packs }) =>
        packs.length === 0 ? (
          <EmptyState icon={Receipt} title="There are no packs of credits">
            An operator says by the settings of the pack billing which ones there are.
          </EmptyState>
        ) : (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
            {packs.map((pack) => (
              <PackCard key={pack.id} pack={pack} />
            ))}
          </SimpleGrid>
        )
      }
    </Loaded>
  )
}

function PackCard({
  pack: { key: packKey, name, credits, price, currency }
}: {
  pack: Schemas['CreditPack']
}) {
  const buying = useCheckout(() => api.post('/v1/billing/checkout/topup', { body: { packKey, returnUrl } }))
  return (
    <Panel title={name} description={`${credits} credits`}>
      <Button
        fullWidth
        onClick={() => buying.mutate()}
        loading={buying.isPending}
        aria-label={`Buy for ${money(price, currency)}: ${name}`}
      >
        Buy for {money(price, currency)}
      </Button>
    </Panel>
  )
}
