import { Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Contributed, ErrorNotice, Loaded, PageFrame, useContributions } from 'agent-platform/console'
import { useLocation, useParams } from 'wouter'
import { agentQuery } from './queries.ts'

/** An agent, with what the mounted packs have to say about it as tabs. */
export default function AgentPage() {
  const { agentId = '', tab } = useParams()
  const [, navigate] = useLocation()
  const agent = useQuery(agentQuery(agentId))
  const tabs = useContributions('agentTabs')
  const open = tabs.find(({ key }) => key === tab) ?? tabs[0]
  // Beside the page they are all in sight, however many packs there are.
  const isWide = useMediaQuery('(min-width: 62em)', true)
  const crumbs = [{ label: 'Agents', to: '/agents' }]
  if (agent.error)
    return (
      <PageFrame title="Agent" crumbs={crumbs}>
        <ErrorNotice error={agent.error} retry={() => agent.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame title={agent.data?.name ?? 'Agent'} crumbs={crumbs}>
      <Loaded query={agent}>
        {() => (
          <Tabs
            value={open?.key ?? null}
            onChange={(key) => navigate(`/agents/${agentId}/${key}`)}
            keepMounted={false}
            orientation={isWide ? 'vertical' : 'horizontal'}
          >
            <Tabs.List {...(isWide ? { mr: 'lg', w: 130 } : { mb: 'lg' })}>
              {tabs.map(({ key, title }) => (
                <Tabs.Tab key={key} value={key}>
                  {title}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {open && (
              <Tabs.Panel value={open.key} miw={0}>
                <Contributed key={agentId} load={open.load} agentId={agentId} />
              </Tabs.Panel>
            )}
          </Tabs>
        )}
      </Loaded>
    </PageFrame>
  )
}
