import { Anchor, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded, Panel, StatusBadge, TimeAgo } from 'agent-platform/console'
import { Link } from 'wouter'
import type { Provider } from './queries.ts'
import { providersQuery } from './queries.ts'

/** Providers as the project has them. */
export function Providers() {
  const providers = useQuery(providersQuery)
  return (
    <Panel title="Providers" description="A project's own key and address take the place of the operator's.">
      <Loaded query={providers}>{(providers) => <ProviderTable providers={providers} />}</Loaded>
    </Panel>
  )
}

const ProviderTable = ({ providers }: { providers: readonly Provider[] }) => (
  <Table.ScrollContainer minWidth={620}>
    <Table verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Provider</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Access</Table.Th>
          <Table.Th>Gives</Table.Th>
          <Table.Th>Changed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {providers.map(({ id, name, configured, source, baseUrl, modalities, updatedAt }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Anchor
                component={Link}
                href={`/models/providers/${encodeURIComponent(id)}`}
                fw={550}
                c="inherit"
              >
                {name}
              </Anchor>
              <Text size="xs" c="dimmed">
                {id}
              </Text>
            </Table.Td>
            <Table.Td>
              <StatusBadge status={configured ? 'configured' : 'not configured'} />
            </Table.Td>
            <Table.Td maw={240}>
              {source ? sources[source] : '–'}
              {baseUrl && (
                <Text size="xs" c="dimmed" truncate title={baseUrl}>
                  {baseUrl}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{modalities.map((it) => gives[it]).join(', ')}</Table.Td>
            <Table.Td>
              <TimeAgo at={updatedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const sources = { project: "The project's", environment: "The operator's" }
const gives = { language: 'Text', embedding: 'Vectors' }
