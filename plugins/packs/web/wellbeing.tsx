import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded, useSession } from 'agent-platform/console'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { packsQuery, readinessQuery } from './queries.ts'

/** Whether the platform takes requests; for operators also what its packs complain of. */
export default function Wellbeing() {
  const { principal } = useSession()
  const isOperator = principal?.scopes.includes('platform:admin') ?? false
  const readiness = useQuery(readinessQuery)
  const packs = useQuery({ ...packsQuery, enabled: isOperator })
  return (
    <Card withBorder padding="lg">
      <Loaded query={readiness}>
        {({ database, migrations, storage, draining }) => {
          const complaints: ReactNode[] = [
            !database && 'The database does not answer.',
            !migrations && 'Migrations are not applied.',
            !storage && 'The disk is full, or cannot be written to.',
            draining && 'This instance is about to stop.'
          ].filter(Boolean)
          for (const { name, status, deadLettered } of packs.data ?? []) {
            if (status === 'failed' || status === 'waiting for code')
              complaints.push(
                <Complaint to={`/packs/${name}`} pack={name}>
                  {status === 'failed' ? 'failed' : 'waits for its code'}
                </Complaint>
              )
            if (deadLettered.length > 0)
              complaints.push(
                <Complaint to={`/packs/${name}/dead-lettered`} pack={name}>
                  could not handle {deadLettered.length === 1 ? 'a fact' : `${deadLettered.length} facts`}
                </Complaint>
              )
          }
          return (
            <Summary
              complaints={complaints}
              running={packs.data?.filter(({ status }) => status === 'running').length}
            />
          )
        }}
      </Loaded>
    </Card>
  )
}

function Summary({ complaints, running }: { complaints: readonly ReactNode[]; running: number | undefined }) {
  const isWell = complaints.length === 0
  const Icon = isWell ? CircleCheck : CircleAlert
  return (
    <Group gap="md" align="flex-start" wrap="nowrap">
      <Text c={isWell ? 'green' : 'red'} lh={0} pt={2}>
        <Icon size={22} aria-hidden />
      </Text>
      <Stack gap={4} miw={0}>
        <Title order={2} size="h5">
          {isWell ? 'All is well' : 'Something needs attention'}
        </Title>
        {isWell ? (
          <Text size="sm" c="dimmed">
            Database, migrations and storage are ready
            {running === undefined ? '.' : `, and ${running} packs run.`}
          </Text>
        ) : (
          complaints.slice(0, 8).map((complaint, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and are drawn as a whole
            <Text key={at} size="sm">
              {complaint}
            </Text>
          ))
        )}
      </Stack>
    </Group>
  )
}

const Complaint = ({ to, pack, children }: { to: string; pack: string; children: ReactNode }) => (
  <>
    <Anchor component={Link} href={to} inherit underline="always">
      {pack}
    </Anchor>{' '}
    {children}
  </>
)
