import { Button, Group, Stack, TextInput } from '@mantine/core'
import { api, ErrorNotice, Form, ListTable, Panel, TimeAgo, useAction, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import { ALL } from './queries.ts'

/** Credits for others, and from them. */
export function Gifts() {
  const list = useList(['credits', 'transfers'], (cursor, signal) =>
    api.get('/v1/credits/transfers', { params: { query: { limit: 50, cursor } }, signal })
  )
  return (
    <Stack gap="lg">
      <Panel
        title="Gift credits"
        description="To someone of this project who has looked at their credits once."
      >
        <NewGift />
      </Panel>
      <Panel title="Given and received">
        <ListTable
          label="Gifts"
          list={list}
          empty="No gifts were given or received."
          columns={[
            {
              header: 'When',
              cell: ({ createdAt }: Schemas['CreditTransfer']) => <TimeAgo at={createdAt} />
            },
            {
              header: 'Who',
              cell: ({ direction, counterparty }) =>
                `${direction === 'sent' ? 'To' : 'From'} ${counterparty}`,
              note: ({ message }) => message,
              maxWidth: 360
            },
            { header: 'Credits', cell: ({ amount }) => amount, isNumber: true }
          ]}
        />
      </Panel>
    </Stack>
  )
}

function NewGift() {
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [message, setMessage] = useState('')
  const giving = useAction({
    run: () => api.post('/v1/credits/gifts', { body: { to, amount, ...(message && { message }) } }),
    changes: [ALL],
    done: 'The gift is given',
    onDone() {
      setTo('')
      setAmount('')
      setMessage('')
    },
    isQuiet: true
  })
  return (
    <Form action={giving} onSubmit={() => giving.mutate()}>
      <Stack>
        <Group align="flex-end" grow preventGrowOverflow={false}>
          <TextInput
            label="To"
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
            required
          />
          <TextInput
            label="Credits"
            value={amount}
            onChange={({ currentTarget }) => setAmount(currentTarget.value)}
            inputMode="decimal"
            required
          />
          <TextInput
            label="Message"
            value={message}
            onChange={({ currentTarget }) => setMessage(currentTarget.value)}
            maxLength={500}
          />
        </Group>
        {giving.error ? <ErrorNotice error={giving.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={giving.isPending}>
            Gift credits
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
