import { api, ListTable, Panel, TimeAgo, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

type Entry = Schemas['AuditEntry']

/** Who administered what, the newest first. */
export function AuditLog() {
  const list = useList(
    ['observability', 'audit'],
    (cursor, signal) => api.get('/v1/audit', { params: { query: { limit: 50, cursor } }, signal }),
    { refresh: 30_000 }
  )
  return (
    <Panel
      title="Audit log"
      description="A chain: `platform audit verify` checks that nothing was changed in it."
    >
      <ListTable
        label="Audit log"
        list={list}
        empty="Nothing was administered yet."
        columns={[
          { header: 'No.', cell: ({ seq }: Entry) => seq, isNumber: true },
          { header: 'When', cell: ({ at }) => <TimeAgo at={at} /> },
          { header: 'What', cell: ({ type }) => type, note: ({ subject }) => subject, maxWidth: 320 },
          { header: 'By', cell: ({ actor }) => actor, maxWidth: 240 },
          { header: 'Hash', cell: ({ hash }) => hash.slice(0, 12) }
        ]}
      />
    </Panel>
  )
}
