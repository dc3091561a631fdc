import { Alert, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  ActionButton,
  api,
  ConfirmButton,
  Details,
  Loaded,
  Panel,
  StatusBadge,
  useAction
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { day, money } from './money.ts'
import { ALL, catalogueQuery, entitlementsQuery, subscriptionQuery } from './queries.ts'

/** What the caller has now, and how much of it is used. */
export function Current() {
  const subscription = useQuery(subscriptionQuery)
  const entitlements = useQuery(entitlementsQuery)
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Panel title="Your plan">
        <Loaded query={subscription}>
          {(found) => (found && found.status !== 'canceled' ? <Plan of={found} /> : <NoPlan />)}
        </Loaded>
      </Panel>
      <Panel title="What it includes">
        <Loaded query={entitlements}>
          {({ entitlements }) =>
            entitlements.length > 0 ? (
              <Stack gap="sm">
                {entitlements.map((it) => (
                  <Included key={it.name} of={it} />
                ))}
              </Stack>
            ) : (
              <Text size="sm" c="dimmed">
                Nothing beyond what everyone has.
              </Text>
            )
          }
        </Loaded>
      </Panel>
    </SimpleGrid>
  )
}

function NoPlan() {
  const { data } = useQuery(catalogueQuery)
  const free = data?.plans.find(({ key }) => key === data.defaultPlanKey)
  return (
    <Text size="sm" c="dimmed">
      {free ? `You have no subscription: ${free.name} is for everyone.` : 'You have no subscription.'}
    </Text>
  )
}

function Plan({ of }: { of: Schemas['Subscription'] }) {
  const { plan, status, currentPeriodEnd, cancelAtPeriodEnd, trialEndsAt, graceEndsAt, nextPlan } = of
  const cancelling = useAction({
    run: () => api.post('/v1/billing/subscription/cancel', { body: {} }),
    changes: [ALL],
    done: 'The subscription ends with its period'
  })
  const resuming = useAction({
    run: () => api.post('/v1/billing/subscription/resume', {}),
    changes: [ALL],
    done: 'The subscription goes on'
  })
  const end = status === 'trialing' && trialEndsAt ? trialEndsAt : currentPeriodEnd
  return (
    <Stack>
      {graceEndsAt && (
        <Alert color="orange" variant="light" title="Its payment is overdue">
          The plan counts until {day(graceEndsAt)}. Pay the open invoice to keep it.
        </Alert>
      )}
      <Details
        cols={2}
        of={{
          Plan: plan.name,
          Status: <StatusBadge status={status} />,
          Price: `${money(plan.price, plan.currency)} a ${plan.interval}`,
          [cancelAtPeriodEnd ? 'Ends' : status === 'trialing' ? 'Trial until' : 'Next period']: day(end),
          'Credits a period': plan.credits === '0' ? undefined : plan.credits,
          'Next plan': nextPlan ? nextPlan.replace(/@.*/, '') : undefined
        }}
      />
      <Group justify="flex-end">
        {cancelAtPeriodEnd ? (
          <ActionButton onClick={() => resuming.mutate()} loading={resuming.isPending} variant="default">
            Keep the plan
          </ActionButton>
        ) : (
          <ConfirmButton
            title={`Cancel ${plan.name}?`}
            warning={`It counts until ${day(end)}, and is not renewed.`}
            onClick={() => cancelling.mutate()}
            loading={cancelling.isPending}
          >
            Cancel plan
          </ConfirmButton>
        )}
      </Group>
    </Stack>
  )
}

function Included({ of: { name, isIncluded, limit, used } }: { of: Schemas['Entitlement'] }) {
  const most = limit === null ? 'any number' : String(limit)
  const text = !isIncluded ? 'not included' : used === null ? most : `${used} of ${most}`
  const share = limit && used !== null ? Math.min(100, (100 * used) / limit) : undefined
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c={isIncluded ? undefined : 'dimmed'}>
          {limit === null && isIncluded && used === null ? 'included' : text}
        </Text>
      </Group>
      {share !== undefined && (
        <Progress
          value={share}
          color={share >= 100 ? 'red' : share >= 80 ? 'orange' : undefined}
          aria-label={`${Math.round(share)} per cent of ${name} are used`}
        />
      )}
    </Stack>
  )
}
