import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { api, ErrorNotice, Form, ListTable, Panel, useAction, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import { ALL } from './queries.ts'

type Campaign = Schemas['CreditCampaign']

/** Credits that each person may claim once; operators see all campaigns, and make them. */
export function Campaigns({ isOperator }: { isOperator: boolean }) {
  const list = useList(['credits', 'campaigns', isOperator], (cursor, signal) => {
    const query = { limit: 50, cursor, ...(isOperator && { all: true }) }
    return api.get('/v1/credits/campaigns', { params: { query }, signal })
  })
  return (
    <Stack gap="lg">
      <Panel title="Campaigns" description="Each can be claimed once.">
        <ListTable
          label="Campaigns"
          list={list}
          empty="No campaign runs now."
          columns={[
            { header: 'Name', cell: ({ name }: Campaign) => name, maxWidth: 320 },
            { header: 'Credits', cell: ({ amount }) => amount, isNumber: true },
            { header: 'Claimed of', cell: ({ claimed, budget }) => `${claimed} / ${budget}`, isNumber: true },
            { header: 'Claim', cell: (campaign) => <Claim campaign={campaign} />, isAction: true }
          ]}
        />
      </Panel>
      {isOperator && (
        <Panel title="New campaign">
          <NewCampaign />
        </Panel>
      )}
    </Stack>
  )
}

function Claim({ campaign: { id, isClaimed } }: { campaign: Campaign }) {
  const claiming = useAction({
    run: () => api.post('/v1/credits/campaigns/claim', { body: { campaignId: id } }),
    changes: [ALL],
    done: ({ data }) => `${data.amount} credits are yours`
  })
  if (isClaimed)
    return (
      <Text size="sm" c="dimmed">
        Claimed
      </Text>
    )
  return (
    <Button size="compact-sm" onClick={() => claiming.mutate()} loading={claiming.isPending}>
      Claim
    </Button>
  )
}

const nothing = { name: '', amount: '', budget: '' }

function NewCampaign() {
  const [fields, setFields] = useState(nothing)
  const creating = useAction({
    run: () => api.post('/v1/credits/campaigns', { body: fields }),
    changes: [ALL],
    done: 'The campaign runs',
    onDone: () => setFields(nothing),
    isQuiet: true
  })
  const field = (name: keyof typeof nothing, label: string) => (
    <TextInput
      label={label}
      value={fields[name]}
      onChange={({ currentTarget: { value } }) => setFields((before) => ({ ...before, [name]: value }))}
      required
    />
  )
  return (
    <Form action={creating} onSubmit={() => creating.mutate()}>
      <Stack>
        <Group align="flex-end" grow preventGrowOverflow={false}>
          {field('name', 'Name')}
          {field('amount', 'Credits for each person')}
          {field('budget', 'Budget for all')}
        </Group>
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={creating.isPending}>
            Create campaign
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
