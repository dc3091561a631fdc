import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, Loaded, Panel, TimeAgo } from 'agent-platform/console'
import { Link } from 'wouter'
import type { Pack } from './queries.ts'
import { packsQuery } from './queries.ts'

interface Instance {
  readonly id: number
  readonly running: number
  /** Packs that are off or fail here while they are to run, or of which another version is to run. */
  readonly behind: readonly string[]
  /** When a pack changed here last. */
  readonly at: string
}

/** The processes that serve, and whether each runs what is to run. */
export default function Instances() {
  const packs = useQuery(packsQuery)
  return (
    <Panel title="Instances" description="The processes of the platform that share this database.">
      <Loaded query={packs}>
        {(packs) => (
          <DataTable
            label="Instances"
            rows={instancesOf(packs)}
            minWidth={340}
            columns={[
              { header: 'Instance', cell: ({ id }) => id },
              { header: 'Packs that run', cell: ({ running }) => running, isNumber: true },
              { header: 'State', cell: ({ behind }) => <State behind={behind} /> },
              { header: 'Last change', cell: ({ at }) => <TimeAgo at={at} /> }
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}

function State({ behind }: Pick<Instance, 'behind'>) {
  if (behind.length === 0) return 'Up to date'
  return (
    <Text size="sm">
      Not yet up to date:{' '}
      {behind.slice(0, 3).map((name, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <Anchor component={Link} href={`/packs/${name}`} inherit underline="always">
            {name}
          </Anchor>
        </span>
      ))}
      {behind.length > 3 && ` and ${behind.length - 3} more`}
    </Text>
  )
}

function instancesOf(packs: readonly Pack[]): readonly Instance[] {
  const byInstance = Map.groupBy(
    packs.flatMap((pack) => pack.instances.map((state) => ({ pack, state }))),
    ({ state }) => state.instance
  )
  return [...byInstance]
    .map(([id, parts]) => ({
      id,
      running: parts.filter(({ state }) => state.status === 'running').length,
      behind: parts.filter(isBehind).map(({ pack }) => pack.name),
      at: parts.map(({ state }) => state.at).reduce((a, b) => (a > b ? a : b))
    }))
    .toSorted((a, b) => a.id - b.id)
}

function isBehind({ pack, state }: { pack: Pack; state: Pack['instances'][number] }): boolean {
  if (!pack.enabled.value) return state.status !== 'off'
  return state.status !== 'running' || (pack.desiredDigest !== null && state.digest !== pack.desiredDigest)
}
