import { Badge, Button, Code, Group, Text } from '@mantine/core'
import { api, EmptyState, ListTable, PageFrame, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { KeyRound, Plus } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { NewKey } from './new-key.tsx'
import { RevokeButton } from './revoke-button.tsx'

/** The caller's own keys, revoked ones too. */
export default function KeyList() {
  const [search, setSearch] = useSearchParams()
  const list = useList(['api-keys'], (cursor, signal) =>
    api.get('/v1/auth/api-keys', { params: { query: { limit: 50, cursor } }, signal })
  )
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setSearch({ new: '' })}>
      New key
    </Button>
  )
  return (
    <PageFrame
      title="API keys"
      description="Programs call the platform with a key. Each acts as you, within its scopes."
      actions={create}
    >
      <ListTable
        label="API keys"
        list={list}
        empty={
          <EmptyState icon={KeyRound} title="No keys yet" action={create}>
            Make one for each program, so that each can be revoked by itself.
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            cell: ({ name }) => name,
            note: ({ prefix }) => <Code>{prefix}…</Code>,
            maxWidth: 280
          },
          { header: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} />, maxWidth: 320 },
          { header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'Never')
          },
          {
            header: 'State',
            cell: ({ id, name, revokedAt }) =>
              revokedAt ? <StatusBadge status="revoked" /> : <RevokeButton id={id} name={name} />
          }
        ]}
      />
      <NewKey isOpen={search.has('new')} onClose={() => setSearch({}, { replace: true })} />
    </PageFrame>
  )
}

const SHOWN = 4

const Scopes = ({ scopes }: { scopes: readonly string[] }) => (
  <Group gap={4} title={scopes.join(', ')}>
    {scopes.slice(0, SHOWN).map((scope) => (
      <Badge key={scope} variant="default" size="sm" radius="sm" tt="none" fw={500}>
        {scope}
      </Badge>
    ))}
    {scopes.length > SHOWN && (
      <Text size="xs" c="dimmed">
        and {scopes.length - SHOWN} more
      </Text>
    )}
  </Group>
)
