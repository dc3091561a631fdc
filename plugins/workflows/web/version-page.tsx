import { Badge, Button, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, CodeBlock, ErrorNotice, Loaded, PageFrame, useAction } from 'agent-platform/console'
import type { Schemas, Workflow } from 'agent-platform-client'
import { RotateCcw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import type { Difference } from './definition.ts'
import { differencesOf } from './definition.ts'
import { versionQuery, workflowQuery } from './queries.ts'

const WorkflowGraph = lazy(() => import('./workflow-graph.tsx'))

/** A definition that a workflow had, drawn, and in what it differs from the current one. */
export default function VersionPage() {
  const { workflowId = '', version: given = '' } = useParams()
  const number = Number(given)
  const workflow = useQuery(workflowQuery(workflowId))
  const version = useQuery(versionQuery(workflowId, number))
  const [selected, setSelected] = useState<string | null>(null)
  const { data: current } = workflow
  const differences =
    current && version.data ? differencesOf(version.data.definition, current.definition) : undefined
  return (
    <PageFrame
      title={`Version ${given}`}
      crumbs={[
        { label: 'Workflows', to: '/workflows' },
        { label: current?.name ?? 'Workflow', to: `/workflows/${workflowId}/versions` }
      ]}
      actions={
        current &&
        version.data &&
        differences &&
        differences.length > 0 && <Restore workflow={current} version={version.data} />
      }
    >
      {workflow.error && version.data ? (
        <ErrorNotice error={workflow.error} retry={() => workflow.refetch()} />
      ) : null}
      <Loaded query={version}>
        {({ definition }) => (
          <Stack gap="xl">
            <Suspense fallback={<Skeleton height={520} radius="md" />}>
              <WorkflowGraph steps={definition.steps} selected={selected} onSelect={setSelected} />
            </Suspense>
            {current && differences && (
              <Stack component="section" gap="md" aria-label="Compared with the current version">
                <Title order={2} size="h4">
                  Compared with version {current.version}, the current one
                </Title>
                {differences.length === 0 && <Text size="sm">Its steps are the same.</Text>}
                {differences.map((it) => (
                  <Changed key={it.name} difference={it} version={number} />
                ))}
              </Stack>
            )}
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Changed({ difference, version }: { difference: Difference; version: number }) {
  const { name, before, after } = difference
  const what = before === undefined ? 'Added since' : after === undefined ? 'Removed since' : 'Changed since'
  return (
    <Card withBorder padding="lg">
      <Group gap="sm" mb="sm">
        <Title order={3} size="h5">
          {name}
        </Title>
        <Badge variant="default" radius="sm" tt="none">
          {what}
        </Badge>
      </Group>
      <SimpleGrid cols={{ base: 1, md: before !== undefined && after !== undefined ? 2 : 1 }}>
        {before !== undefined && <CodeBlock label={`${name} in version ${version}`} value={before} />}
        {after !== undefined && <CodeBlock label={`${name} in the current version`} value={after} />}
      </SimpleGrid>
    </Card>
  )
}

/** As a new version: what was made since stays among the versions. */
function Restore({ workflow, version }: { workflow: Workflow; version: Schemas['WorkflowVersion'] }) {
  const [, navigate] = useLocation()
  const restoring = useAction({
    run: () =>
      api.put('/v1/workflows/{id}', {
        params: { path: { id: workflow.id } },
        headers: { 'if-match': `"${workflow.version}"` },
        body: { definition: version.definition }
      }),
    changes: [['workflows', workflow.id]],
    done: `The steps of version ${version.version} are the current ones`,
    onDone: () => navigate(`/workflows/${workflow.id}`)
  })
  return (
    <Button
      variant="default"
      leftSection={<RotateCcw size={16} aria-hidden />}
      loading={restoring.isPending}
      onClick={() => restoring.mutate()}
    >
      Make it the current one
    </Button>
  )
}
