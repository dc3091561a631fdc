import { Badge, Button, Group, Paper, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  AgentLink,
  AgentSelect,
  DataTable,
  EmptyState,
  ErrorNotice,
  Form,
  Loaded,
  Markdown,
  PageFrame,
  useAction,
  useAgentNames
} from 'agent-platform/console'
import { Bot, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import type { Skill } from './queries.ts'
import { attach, download, skillAgentsQuery, skillQuery } from './queries.ts'
import { SkillEditor } from './skill-editor.tsx'
import { SkillFiles } from './skill-files.tsx'

interface Tab {
  readonly key: string
  readonly title: (skill: Skill | undefined) => string
  readonly show: (skill: Skill) => ReactNode
}
const tabs: readonly Tab[] = [
  { key: 'instructions', title: () => 'Instructions', show: (skill) => <Instructions skill={skill} /> },
  {
    key: 'files',
    title: (skill) => (skill?.files.length ? `Files (${skill.files.length})` : 'Files'),
    show: (skill) => <SkillFiles key={skill.version} skill={skill} />
  },
  { key: 'agents', title: () => 'Agents', show: (skill) => <Assignment skill={skill} /> },
  { key: 'edit', title: () => 'Edit', show: (skill) => <SkillEditor key={skill.id} skill={skill} /> }
]
const crumbs = [{ label: 'Skills', to: '/skills' }]

export default function SkillPage() {
  const { skillId = '', tab } = useParams()
  const [, navigate] = useLocation()
  const skill = useQuery(skillQuery(skillId))
  const exporting = useAction({ run: download })
  const open = tabs.find(({ key }) => key === tab) ?? (tabs[0] as Tab)
  if (skill.error)
    return (
      <PageFrame title="Skill" crumbs={crumbs}>
        <ErrorNotice error={skill.error} retry={() => skill.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title={skill.data?.slug ?? 'Skill'}
      description={skill.data?.description}
      crumbs={crumbs}
      badge={
        skill.data && (
          <Badge variant="default" tt="none">
            Version {skill.data.version}
          </Badge>
        )
      }
      actions={
        skill.data && (
          <Button
            variant="default"
            leftSection={<Download size={16} aria-hidden />}
            loading={exporting.isPending}
            onClick={() => exporting.mutate(skill.data)}
          >
            Export
          </Button>
        )
      }
    >
      <Loaded query={skill}>
        {(skill) => (
          <Tabs
            value={open.key}
            onChange={(key) => navigate(`/skills/${skillId}/${key}`)}
            keepMounted={false}
          >
            <Tabs.List mb="lg">
              {tabs.map(({ key, title }) => (
                <Tabs.Tab key={key} value={key}>
                  {title(skill)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={open.key}>{open.show(skill)}</Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </PageFrame>
  )
}

const Instructions = ({
  skill: { instructions, allowedTools, compatibility, license }
}: {
  skill: Skill
}) => (
  <Stack maw={860}>
    {(allowedTools.length > 0 || compatibility || license) && (
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[
          compatibility && `Needs ${compatibility}`,
          allowedTools.length > 0 && `Counts on ${allowedTools.join(', ')}`,
          license && `License ${license}`
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    )}
    <Paper withBorder p="lg">
      {instructions.trim() ? (
        <Markdown text={instructions} />
      ) : (
        <Text size="sm" c="dimmed">
          It has no instructions: agents know its description alone.
        </Text>
      )}
    </Paper>
  </Stack>
)

/** The agents that have it, and a form for more of them. */
function Assignment({ skill }: { skill: Skill }) {
  const agents = useQuery(skillAgentsQuery(skill.id))
  const [agentId, setAgentId] = useState<string | null>(null)
  const changes = [['skills', 'agents']]
  const giving = useAction({
    run: (agentId: string) => attach(skill.id, agentId, true),
    changes,
    done: 'The agent has the skill',
    onDone: () => setAgentId(null)
  })
  const taking = useAction({
    run: (agentId: string) => attach(skill.id, agentId, false),
    changes,
    done: 'The skill is taken away'
  })
  return (
    <Loaded query={agents}>
      {(agents) => (
        <Stack gap="lg" maw={640}>
          <Text size="sm" c="dimmed">
            An agent that is given the skill is told of it from its next step on.
          </Text>
          <Form
            action={giving}
            onSubmit={() => {
              if (agentId) giving.mutate(agentId)
            }}
          >
            <Group align="flex-end" gap="sm">
              <AgentSelect
                value={agentId}
                onChange={setAgentId}
                without={agents.map(({ agentId }) => agentId)}
                w={280}
              />
              <Button type="submit" disabled={!agentId} loading={giving.isPending}>
                Give to the agent
              </Button>
            </Group>
          </Form>
          <DataTable
            label="Agents that have the skill"
            rows={agents}
            keyOf={({ agentId }) => agentId}
            minWidth={300}
            empty={
              <EmptyState icon={Bot} title="No agent has the skill">
                Choose one above.
              </EmptyState>
            }
            columns={[
              { header: 'Agent', cell: ({ agentId }) => <AgentLink agentId={agentId} /> },
              {
                header: 'Take away',
                isAction: true,
                cell: ({ agentId }) => (
                  <TakeAway
                    agentId={agentId}
                    onClick={() => taking.mutate(agentId)}
                    isPending={taking.isPending && taking.variables === agentId}
                  />
                )
              }
            ]}
          />
        </Stack>
      )}
    </Loaded>
  )
}

function TakeAway(props: { agentId: string; onClick: () => void; isPending: boolean }) {
  const { agentId, onClick, isPending } = props
  const name = useAgentNames([agentId]).get(agentId) ?? agentId
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Take away from ${name}`}
      onClick={onClick}
      loading={isPending}
    >
      Take away
    </Button>
  )
}
