import { Select } from '@mantine/core'
import { AgentLink, api, ListTable, Panel, TimeAgo, useAddress, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

type Entry = Schemas['CreditEntry']
type Kind = Entry['kind']

const kinds: readonly { value: Kind; label: string }[] = [
  { value: 'usage', label: 'Usage' },
  { value: 'grant', label: 'Grants' },
  { value: 'debit', label: 'Debits' },
  { value: 'gift', label: 'Gifts' },
  { value: 'campaign', label: 'Campaigns' },
  { value: 'topup', label: 'Top-ups' }
]

/** Everything that came in and went out, the newest first. */
export function Ledger() {
  const { search, change } = useAddress()
  const kind = kinds.find(({ value }) => value === search.get('kind'))?.value
  const list = useList(
    ['credits', 'ledger', kind],
    (cursor, signal) =>
      api.get('/v1/credits/ledger', { params: { query: { limit: 50, cursor, kind } }, signal }),
    { refresh: 15_000 }
  )
  return (
    <Panel
      title="Ledger"
      actions={
        <Select
          aria-label="Kind of entry"
          size="xs"
          data={kinds}
          value={kind ?? null}
          onChange={(value) => change({ kind: value })}
          placeholder="All kinds"
          clearable
        />
      }
    >
      <ListTable
        label="Ledger"
        list={list}
        empty="There are no entries."
        columns={[
          { header: 'When', cell: ({ createdAt }: Entry) => <TimeAgo at={createdAt} /> },
          { header: 'For', cell: purposeOf, note: ({ reason }) => reason, maxWidth: 360 },
          { header: 'Agent', cell: ({ agentId }) => (agentId ? <AgentLink agentId={agentId} /> : '–') },
          { header: 'Credits', cell: ({ amount }) => amount, isNumber: true },
          { header: 'Balance', cell: ({ balance }) => balance, isNumber: true }
        ]}
      />
    </Panel>
  )
}

function purposeOf({ kind, modelProvider, modelId, toolName, counterparty, amount }: Entry): string {
  if (toolName) return `Tool ${toolName}`
  if (modelId) return `${modelProvider}/${modelId}`
  if (kind === 'gift') return amount.startsWith('-') ? `Gift to ${counterparty}` : `Gift from ${counterparty}`
  return { usage: 'Usage', grant: 'Grant', debit: 'Debit', campaign: 'Campaign', topup: 'Top-up' }[kind]
}
