import { Badge, Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice, Loaded, PageFrame, useAddress } from 'agent-platform/console'
import { CirclePlay } from 'lucide-react'
import { useLocation, useParams } from 'wouter'
import { DefinitionEditor } from './definition-editor.tsx'
import { ExecuteWorkflow } from './execute-workflow.tsx'
import { ExecutionList } from './execution-list.tsx'
import { workflowQuery } from './queries.ts'
import { VersionList } from './version-list.tsx'
import { WebhookSettings } from './webhook-settings.tsx'
import { WorkflowSettings } from './workflow-settings.tsx'

const tabs = [
  { key: 'steps', title: 'Steps' },
  { key: 'executions', title: 'Executions' },
  { key: 'versions', title: 'Versions' },
  { key: 'webhook', title: 'Webhook' },
  { key: 'settings', title: 'Settings' }
]
const crumbs = [{ label: 'Workflows', to: '/workflows' }]

/** A workflow: its steps, what became of it, and how it is begun from outside. */
export default function WorkflowPage() {
  const { workflowId = '', tab } = useParams()
  const [, navigate] = useLocation()
  const { search, change } = useAddress()
  const workflow = useQuery(workflowQuery(workflowId))
  const open = tabs.find(({ key }) => key === tab)?.key ?? 'steps'
  const { data } = workflow
  if (workflow.error && !data)
    return (
      <PageFrame title="Workflow" crumbs={crumbs}>
        <ErrorNotice error={workflow.error} retry={() => workflow.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title={data?.name ?? 'Workflow'}
      description={data?.description}
      crumbs={crumbs}
      badge={
        data && (
          <Badge variant="default" radius="sm" tt="none">
            Version {data.version}
          </Badge>
        )
      }
      actions={
        <Button leftSection={<CirclePlay size={16} aria-hidden />} onClick={() => change({ execute: 'yes' })}>
          Execute
        </Button>
      }
    >
      <Loaded query={workflow}>
        {(workflow) => (
          <>
            <Tabs
              value={open}
              onChange={(key) => navigate(`/workflows/${workflowId}/${key}`)}
              keepMounted={false}
            >
              <Tabs.List mb="lg">
                {tabs.map(({ key, title }) => (
                  <Tabs.Tab key={key} value={key}>
                    {title}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="steps">
                <DefinitionEditor workflow={workflow} />
              </Tabs.Panel>
              <Tabs.Panel value="executions">
                <ExecutionList workflowId={workflowId} />
              </Tabs.Panel>
              <Tabs.Panel value="versions">
                <VersionList workflow={workflow} />
              </Tabs.Panel>
              <Tabs.Panel value="webhook">
                <WebhookSettings workflowId={workflowId} />
              </Tabs.Panel>
              <Tabs.Panel value="settings">
                <WorkflowSettings key={workflow.id} workflow={workflow} />
              </Tabs.Panel>
            </Tabs>
            <ExecuteWorkflow
              workflow={workflow}
              isOpen={search.get('execute') !== null}
              onClose={() => change({ execute: null })}
              onBegun={(id) => navigate(`/workflows/${workflowId}/executions/${id}`)}
            />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
