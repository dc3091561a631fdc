import { Badge, Group, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded, SearchField } from 'agent-platform/console'
import { useState } from 'react'
import { Consent } from './consent.tsx'
import { ProviderIcon } from './provider-icon.tsx'
import type { Provider } from './queries.ts'
import { providersQuery } from './queries.ts'

/** Which services can be connected; choosing one leads to what it will be allowed. */
export function ProviderList({ onClose }: { onClose: () => void }) {
  const providers = useQuery(providersQuery)
  const [chosen, setChosen] = useState<Provider>()
  const [search, setSearch] = useState('')
  if (chosen) return <Consent provider={chosen} onClose={onClose} />
  return (
    <Stack>
      <SearchField value={search} onChange={setSearch} label="Search services" />
      <Loaded query={providers}>
        {(all) => (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {sorted(all)
              .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
              .map((provider) => (
                <Choice key={provider.key} provider={provider} onChoose={() => setChosen(provider)} />
              ))}
          </SimpleGrid>
        )}
      </Loaded>
    </Stack>
  )
}

/** Those that can be connected stand first. */
const sorted = (all: readonly Provider[]) =>
  all.toSorted((a, b) => Number(b.isConfigured) - Number(a.isConfigured) || a.name.localeCompare(b.name))

function Choice({ provider, onChoose }: { provider: Provider; onChoose: () => void }) {
  const { name, icon, isConfigured, missing } = provider
  return (
    <UnstyledButton
      onClick={onChoose}
      disabled={!isConfigured}
      p="xs"
      style={{ cursor: isConfigured ? 'pointer' : 'default' }}
    >
      <Group wrap="nowrap" gap="sm" align="flex-start">
        <ProviderIcon icon={icon} />
        <Stack gap={2} miw={0} align="flex-start">
          <Text size="sm" fw={550}>
            {name}
          </Text>
          {!isConfigured && (
            <>
              <Badge size="xs" variant="default" tt="none">
                not configured
              </Badge>
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                An operator sets {missing.join(' and ')}
              </Text>
            </>
          )}
        </Stack>
      </Group>
    </UnstyledButton>
  )
}
