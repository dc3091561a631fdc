import { Anchor, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, Panel, StatusBadge, TimeAgo } from 'agent-platform/console'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PackRemoval } from './pack-removal.tsx'
import type { Pack } from './queries.ts'
import { packsQuery, versionOf } from './queries.ts'
import { sourceOf } from './sources.ts'

/** What a pack is, what it stands on and what stands on it, where it runs, and its end. */
export function PackOverview({ pack }: { pack: Pack }) {
  const { name, area, enabled, requires, uses, digest, desiredDigest, instances } = pack
  const { data: packs = [] } = useQuery(packsQuery)
  const needing = packs.filter(({ requires }) => requires.includes(name)).map(({ name }) => name)
  return (
    <Stack gap="lg">
      <Panel title="About">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
          <Entry label="Area">{area ?? '–'}</Entry>
          <Entry label="Wanted">
            {enabled.value ? 'Enabled' : 'Disabled'}
            <Text span size="xs" c="dimmed">
              {' '}
              · {sourceOf(enabled.from)}
            </Text>
          </Entry>
          <Entry label="Version">
            <Code>{versionOf(digest)}</Code>
            {desiredDigest && digest && desiredDigest !== digest && (
              <Text span size="xs">
                {' '}
                · <Code>{versionOf(desiredDigest)}</Code> is wanted
              </Text>
            )}
          </Entry>
          <Entry label="Requires">
            <Names names={requires} />
          </Entry>
          <Entry label="Uses, where it is there">
            <Names names={uses} />
          </Entry>
          <Entry label="Required by">
            <Names names={needing} />
          </Entry>
        </SimpleGrid>
      </Panel>
      {instances.length > 0 && (
        <Panel title="Instances" description="What each instance of the platform said last.">
          <DataTable
            label="Instances"
            rows={instances}
            keyOf={({ instance }) => instance}
            columns={[
              { header: 'Instance', cell: ({ instance }) => instance },
              {
                header: 'State',
                cell: ({ status }) => <StatusBadge status={status} />,
                note: ({ reason }) => reason,
                maxWidth: 360
              },
              { header: 'Version', cell: ({ digest }) => <Code>{versionOf(digest)}</Code> },
              { header: 'Since', cell: ({ at }) => <TimeAgo at={at} /> }
            ]}
          />
        </Panel>
      )}
      {name !== 'packs' && <PackRemoval name={name} />}
    </Stack>
  )
}

const Entry = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text size="sm" component="div">
      {children}
    </Text>
  </div>
)

function Names({ names }: { names: readonly string[] }) {
  if (names.length === 0) return '–'
  return (
    <Group gap={6}>
      {names.map((name) => (
        <Anchor key={name} component={Link} href={`/packs/${name}`} size="sm">
          {name}
        </Anchor>
      ))}
    </Group>
  )
}
