import { Button, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import {
  api,
  ErrorNotice,
  Form,
  ListTable,
  newKey,
  Panel,
  TimeAgo,
  useAction,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import { ALL } from './queries.ts'

type Price = Schemas['CreditPrice']

/** What operators do: grants, debits and the price catalogue. */
export const Operator = () => (
  <Stack gap="lg">
    <Panel title="Grant or debit" description="The reason stands in the ledger of the person.">
      <NewPosting />
    </Panel>
    <Prices />
  </Stack>
)

const nothing = { owner: '', amount: '', reason: '' }

function NewPosting() {
  const [kind, setKind] = useState<'grants' | 'debits'>('grants')
  const [fields, setFields] = useState(nothing)
  // The same until it is done: sent twice, it is posted once.
  const [reference, setReference] = useState(newKey)
  const posting = useAction({
    run: () => api.post(`/v1/credits/${kind}`, { body: { ...fields, reference } }),
    changes: [ALL],
    done: ({ data }) => `${data.amount} credits were posted, and the balance is ${data.balance}`,
    onDone() {
      setFields(nothing)
      setReference(newKey())
    },
    isQuiet: true
  })
  const field = (name: keyof typeof nothing, label: string) => (
    <TextInput
      label={label}
      value={fields[name]}
      onChange={({ currentTarget: { value } }) => {
        setFields((before) => ({ ...before, [name]: value }))
        setReference(newKey())
      }}
      required
    />
  )
  return (
    <Form action={posting} onSubmit={() => posting.mutate()}>
      <Stack>
        <SegmentedControl
          aria-label="Which way"
          data={[
            { value: 'grants', label: 'Grant' },
            { value: 'debits', label: 'Debit' }
          ]}
          value={kind}
          onChange={(value) => setKind(value as typeof kind)}
          style={{ alignSelf: 'flex-start' }}
        />
        <Group align="flex-end" grow preventGrowOverflow={false}>
          {field('owner', 'Whose account')}
          {field('amount', 'Credits')}
          {field('reason', 'Reason')}
        </Group>
        {posting.error ? <ErrorNotice error={posting.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={posting.isPending}>
            {kind === 'grants' ? 'Grant credits' : 'Debit credits'}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function Prices() {
  const list = useList(['credits', 'prices'], (cursor, signal) =>
    api.get('/v1/credits/prices', { params: { query: { limit: 50, cursor } }, signal })
  )
  return (
    <Panel
      title="Prices"
      description="Of models a million tokens, of tools a call; an image, a thousand characters that are spoken, a minute that is heard. A new one counts for what begins from then on."
    >
      <Stack gap="lg">
        <ListTable
          label="Prices"
          list={list}
          empty="Nothing has a price."
          columns={[
            { header: 'Of', cell: ({ target }: Price) => target, note: ({ kind }) => kind, maxWidth: 320 },
            { header: 'Input', cell: ({ kind, input }) => (kind === 'model' ? input : '–'), isNumber: true },
            {
              header: 'Cached',
              cell: ({ kind, cached }) => (kind === 'model' ? cached : '–'),
              isNumber: true
            },
            {
              header: 'Output',
              cell: ({ kind, output }) => (kind === 'model' ? output : '–'),
              isNumber: true
            },
            { header: 'Each', cell: ({ kind, call }) => (kind === 'model' ? '–' : call), isNumber: true },
            { header: 'Since', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
          ]}
        />
        <NewPrice />
      </Stack>
    </Panel>
  )
}

const each = {
  tool: 'Call',
  image: 'Image',
  speech: 'Thousand characters',
  transcription: 'Minute'
} as const

function NewPrice() {
  const [kind, setKind] = useState<Price['kind']>('model')
  const [target, setTarget] = useState('')
  const [amounts, setAmounts] = useState({ input: '', cached: '', cacheWrite: '', output: '', call: '' })
  const setting = useAction({
    run() {
      const names =
        kind === 'model' ? (['input', 'cached', 'cacheWrite', 'output'] as const) : (['call'] as const)
      const given = names.filter((name) => amounts[name] !== '').map((name) => [name, amounts[name]])
      return api.post('/v1/credits/prices', { body: { kind, target, ...Object.fromEntries(given) } })
    },
    changes: [ALL],
    done: 'The price is in force',
    onDone: () => setTarget(''),
    isQuiet: true
  })
  const amount = (name: keyof typeof amounts, label: string) => (
    <TextInput
      label={label}
      value={amounts[name]}
      onChange={({ currentTarget: { value } }) => setAmounts((before) => ({ ...before, [name]: value }))}
      inputMode="decimal"
    />
  )
  return (
    <Form action={setting} onSubmit={() => setting.mutate()}>
      <Stack>
        <Group align="flex-end" grow preventGrowOverflow={false}>
          <Select
            label="What has the price"
            data={[
              { value: 'model', label: 'A model' },
              { value: 'tool', label: 'A tool' },
              { value: 'image', label: 'Images' },
              { value: 'speech', label: 'Speech' },
              { value: 'transcription', label: 'Transcription' }
            ]}
            value={kind}
            onChange={(value) => setKind((value ?? 'model') as typeof kind)}
            allowDeselect={false}
          />
          <TextInput
            label={kind === 'tool' ? 'Tool: its name, or *' : 'Model: provider/model, provider/* or *'}
            value={target}
            onChange={({ currentTarget }) => setTarget(currentTarget.value)}
            required
          />
          {kind === 'model' && amount('input', 'Input')}
          {kind === 'model' && amount('cached', 'Cached input')}
          {kind === 'model' && amount('cacheWrite', 'Cache writes')}
          {kind === 'model' && amount('output', 'Output')}
          {kind !== 'model' && amount('call', each[kind])}
        </Group>
        {setting.error ? <ErrorNotice error={setting.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={setting.isPending}>
            Set the price
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
