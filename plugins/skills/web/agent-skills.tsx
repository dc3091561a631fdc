import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, EmptyState, Form, Loaded, useAction } from 'agent-platform/console'
import { GraduationCap } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { agentSkillsQuery, allSkillsQuery, attach } from './queries.ts'

/** Tab of an agent: the skills that it was given. */
export default function AgentSkills({ agentId }: { agentId: string }) {
  const skills = useQuery(agentSkillsQuery(agentId))
  const taking = useAction({
    run: (skillId: string) => attach(skillId, agentId, false),
    changes: [['skills', 'agents']],
    done: 'The skill is taken away'
  })
  return (
    <Loaded query={skills}>
      {(skills) => (
        <Stack gap="lg" maw={860}>
          <Text size="sm" c="dimmed">
            The agent is told of these by name and description, and loads one when it needs it.
          </Text>
          <GiveForm agentId={agentId} has={skills.map(({ id }) => id)} />
          <DataTable
            label="Skills of the agent"
            rows={skills}
            empty={
              <EmptyState icon={GraduationCap} title="The agent has no skills">
                Choose one above. Skills are written and imported on the page{' '}
                <Anchor component={Link} href="/skills" size="sm" underline="always">
                  Skills
                </Anchor>
                .
              </EmptyState>
            }
            columns={[
              {
                header: 'Skill',
                to: ({ id }) => `/skills/${id}`,
                cell: ({ slug }) => slug,
                note: ({ description }) => description,
                maxWidth: 640
              },
              {
                header: 'Take away',
                isAction: true,
                cell: ({ id, slug }) => (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Take away ${slug}`}
                    onClick={() => taking.mutate(id)}
                    loading={taking.isPending && taking.variables === id}
                  >
                    Take away
                  </Button>
                )
              }
            ]}
          />
        </Stack>
      )}
    </Loaded>
  )
}

function GiveForm({ agentId, has }: { agentId: string; has: readonly string[] }) {
  const { data: skills = [] } = useQuery(allSkillsQuery)
  const [skillId, setSkillId] = useState<string | null>(null)
  const giving = useAction({
    run: (skillId: string) => attach(skillId, agentId, true),
    changes: [['skills', 'agents']],
    done: 'The agent has the skill',
    onDone: () => setSkillId(null)
  })
  return (
    <Form
      action={giving}
      onSubmit={() => {
        if (skillId) giving.mutate(skillId)
      }}
    >
      <Group align="flex-end" gap="sm">
        <Select
          label="Skill"
          placeholder="Choose a skill"
          data={skills
            .filter(({ id }) => !has.includes(id))
            .map(({ id, slug }) => ({ value: id, label: slug }))}
          value={skillId}
          onChange={setSkillId}
          searchable
          nothingFoundMessage="No other skill"
          w={280}
        />
        <Button type="submit" disabled={!skillId} loading={giving.isPending}>
          Give to the agent
        </Button>
      </Group>
    </Form>
  )
}
