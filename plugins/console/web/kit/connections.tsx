import { Alert, Anchor, Checkbox, Select, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api } from './api.ts'
import { useSession } from './session.tsx'

/** A connection, and what it has to be allowed. */
export interface ConnectionChoice {
  readonly connectionId: string
  readonly scopes: readonly string[]
}

const connectionsQuery = queryOptions({
  queryKey: ['connections', 'choice'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/oauth/connections', { params: { query: { limit: 100 } }, signal }))
})
const providersQuery = queryOptions({
  queryKey: ['oauth-providers'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/oauth/providers', { params: { query: { limit: 100 } }, signal })),
  staleTime: 60_000
})

interface Props {
  readonly value: ConnectionChoice | null
  readonly onChange: (choice: ConnectionChoice) => void
  /** Only those to this provider. */
  readonly providerKey?: string
  /** What it has to be allowed in any case; without it people choose. */
  readonly needed?: readonly string[]
}

/** One of the caller's OAuth connections, to stand for a key: where it goes, and what it was granted. */
export function ConnectionFields({ value, onChange, providerKey, needed }: Props) {
  const isOn = useSession().packs.some(({ name }) => name === 'connections')
  const connections = useQuery({ ...connectionsQuery, enabled: isOn })
  const { data: providers = [] } = useQuery({ ...providersQuery, enabled: isOn })
  const offered = (connections.data ?? []).filter(
    (it) => providerKey === undefined || it.providerKey === providerKey
  )
  if (!isOn) return <Text size="sm">Connections are off on this platform.</Text>
  const chosen = offered.find(({ id }) => id === value?.connectionId)
  const provider = providers.find(({ key }) => key === chosen?.providerKey)
  const scopes = needed ?? value?.scopes ?? []
  const missing = scopes.filter((it) => !chosen?.scopes.includes(it))
  const known = provider?.scopes ?? []
  const wordsOf = (name: string) => known.find((it) => it.name === name)?.description ?? undefined
  return (
    <Stack gap="sm">
      <Select
        label="Connection"
        description={provider && `Its token goes to ${provider.hosts.join(', ')}, and nowhere else.`}
        placeholder={offered.length > 0 ? 'Choose a connection' : 'There is none yet'}
        data={offered.map(({ id, name, account, status }) => ({
          value: id,
          label: `${account === null ? name : `${name} (${account})`}${status === 'active' ? '' : `: ${status}`}`,
          disabled: status !== 'active'
        }))}
        value={chosen?.id ?? null}
        onChange={(connectionId) => connectionId && onChange({ connectionId, scopes: needed ?? [] })}
        error={connections.error ? 'The connections could not be listed' : undefined}
        searchable
        required
        allowDeselect={false}
      />
      {connections.isSuccess && offered.length === 0 && (
        <Text size="sm">
          <Anchor component={Link} href="/connections?new" inherit underline="always">
            Connect {providers.find(({ key }) => key === providerKey)?.name ?? 'a service'}
          </Anchor>{' '}
          first.
        </Text>
      )}
      {chosen && !needed && (
        <Checkbox.Group
          label="It has to be allowed"
          description="Checked now and at each call."
          value={[...scopes]}
          onChange={(scopes) => onChange({ connectionId: chosen.id, scopes })}
        >
          <Stack gap="xs" mt="xs">
            {[...new Set([...chosen.scopes, ...known.map(({ name }) => name)])].map((name) => {
              const isGranted = chosen.scopes.includes(name)
              return (
                <Checkbox
                  key={name}
                  value={name}
                  label={wordsOf(name) ?? name}
                  description={isGranted ? (wordsOf(name) ? name : undefined) : 'Not granted'}
                  disabled={!isGranted}
                />
              )
            })}
          </Stack>
        </Checkbox.Group>
      )}
      {chosen &&
        (missing.length > 0 || (!needed && known.some((it) => !chosen.scopes.includes(it.name)))) && (
          <Alert
            variant="light"
            color={missing.length > 0 ? 'orange' : 'gray'}
            title={missing.length > 0 ? 'It was not allowed enough' : 'It can be allowed more'}
          >
            {missing.length > 0 && `${missing.map((it) => wordsOf(it) ?? it).join('; ')}. `}
            <Anchor component={Link} href={`/connections/${chosen.id}`} inherit underline="always">
              Ask for more
            </Anchor>{' '}
            at the connection.
          </Alert>
        )}
    </Stack>
  )
}
