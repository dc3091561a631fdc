import { Badge, Button, Code, Group, Table, Text } from '@mantine/core'
import { api, EmptyState, ListView, PageFrame, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
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
      <ListView
        list={list}
        empty={
          <EmptyState icon={KeyRound} title="No keys yet" action={create}>
            Make one for each program, so that each can be revoked by itself.
          </EmptyState>
        }
      >
        {(keys) => (
          <Table.ScrollContainer minWidth={720}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Scopes</Table.Th>
                  <Table.Th>Created</Table.Th>
                  <Table.Th>Last used</Table.Th>
                  <Table.Th>State</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {keys.map(({ id, name, prefix, scopes, createdAt, lastUsedAt, revokedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td maw={280}>
                      <Text size="sm" fw={550} truncate title={name}>
                        {name}
                      </Text>
                      <Code>{prefix}…</Code>
                    </Table.Td>
                    <Table.Td maw={320}>
                      <Scopes scopes={scopes} />
                    </Table.Td>
                    <Table.Td>
                      <TimeAgo at={createdAt} />
                    </Table.Td>
                    <Table.Td>{lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'Never'}</Table.Td>
                    <Table.Td>
                      {revokedAt ? <StatusBadge status="revoked" /> : <RevokeButton id={id} name={name} />}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
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
