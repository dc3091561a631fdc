import { Button, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core'
import {
  AgentLink,
  AgentSelect,
  api,
  CancelButton,
  ConfirmButton,
  Dialog,
  EmptyState,
  ErrorNotice,
  Form,
  ListTable,
  Panel,
  useAction,
  useAddress,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Gauge, Plus } from 'lucide-react'
import { useState } from 'react'
import { ALL } from './queries.ts'

type Cap = Schemas['SpendCap']
const periods = { day: 'a day', month: 'a month', total: 'ever' } as const

/** What the caller lets agents spend. */
export function Caps() {
  const { search, change } = useAddress()
  const list = useList(
    ['credits', 'caps'],
    (cursor, signal) => api.get('/v1/credits/caps', { params: { query: { limit: 50, cursor } }, signal }),
    { refresh: 15_000 }
  )
  const close = () => change({ new: null })
  const create = (
    <Button size="sm" leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: 'cap' })}>
      New spend cap
    </Button>
  )
  return (
    <Panel title="Spend caps" description="A run that might go beyond one does not begin." actions={create}>
      <ListTable
        label="Spend caps"
        list={list}
        empty={
          <EmptyState icon={Gauge} title="There are no spend caps">
            Say what an agent, or all of them, may spend in a day, in a month or ever.
          </EmptyState>
        }
        columns={[
          {
            header: 'Of',
            cell: ({ agentId, token }: Cap) =>
              agentId ? <AgentLink agentId={agentId} /> : token ? 'A token' : 'All agents',
            note: ({ sessionId }) => sessionId && `In session ${sessionId}`
          },
          { header: 'Limit', cell: ({ limit, period }) => `${limit} ${periods[period]}` },
          { header: 'Spent', cell: (cap) => <Spent cap={cap} /> },
          { header: 'Delete', cell: (cap) => !cap.token && <Delete cap={cap} />, isAction: true }
        ]}
      />
      <Dialog opened={search.get('new') === 'cap'} onClose={close} title="New spend cap">
        <NewCap onClose={close} />
      </Dialog>
    </Panel>
  )
}

function Spent({ cap: { spent, reserved, limit } }: { cap: Cap }) {
  const share = Number(limit) > 0 ? (100 * Number(spent)) / Number(limit) : 100
  return (
    <Stack gap={4}>
      <Text size="sm">
        {spent}
        {reserved !== '0' && ` and ${reserved} reserved`}
      </Text>
      <Progress
        value={Math.min(share, 100)}
        color={share >= 100 ? 'red' : share >= 80 ? 'orange' : undefined}
        aria-label={`${Math.round(share)} per cent are spent`}
      />
    </Stack>
  )
}

function Delete({ cap: { id } }: { cap: Cap }) {
  const removing = useAction({
    run: () => api.delete('/v1/credits/caps/{capId}', { params: { path: { capId: id } } }),
    changes: [ALL],
    done: 'The spend cap is deleted'
  })
  return (
    <ConfirmButton
      size="compact-sm"
      title="Delete this spend cap?"
      warning="What it limited is limited by the balance alone then."
      onClick={() => removing.mutate()}
      loading={removing.isPending}
    >
      Delete
    </ConfirmButton>
  )
}

function NewCap({ onClose }: { onClose: () => void }) {
  const [agentId, setAgentId] = useState<string | null>(null)
  const [period, setPeriod] = useState<Cap['period']>('day')
  const [limit, setLimit] = useState('')
  const saving = useAction({
    run: () => api.post('/v1/credits/caps', { body: { period, limit, ...(agentId && { agentId }) } }),
    changes: [ALL],
    done: 'The spend cap counts from now on',
    onDone: onClose,
    isQuiet: true
  })
  return (
    <Form action={saving} onSubmit={() => saving.mutate()}>
      <Stack>
        <AgentSelect label="Agent" placeholder="All agents" value={agentId} onChange={setAgentId} clearable />
        <TextInput
          label="Credits"
          value={limit}
          onChange={({ currentTarget }) => setLimit(currentTarget.value)}
          inputMode="decimal"
          required
          data-autofocus
        />
        <Select
          label="In"
          data={[
            { value: 'day', label: 'A day' },
            { value: 'month', label: 'A month' },
            { value: 'total', label: 'All time' }
          ]}
          value={period}
          onChange={(value) => setPeriod((value as Cap['period'] | null) ?? 'day')}
          allowDeselect={false}
        />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={saving.isPending}>
            Create spend cap
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
