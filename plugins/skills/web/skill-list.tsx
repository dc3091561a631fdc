import { Anchor, Button, Table, Text } from '@mantine/core'
import {
  api,
  EmptyState,
  ListView,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useAddress,
  useList
} from 'agent-platform/console'
import { GraduationCap, Plus, Upload } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { ImportSkill } from './import-skill.tsx'
import { NewSkill } from './new-skill.tsx'

export default function SkillList() {
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const list = useList(['skills', 'list'], (cursor, signal) =>
    api.get('/v1/skills', { params: { query: { limit: 50, cursor } }, signal })
  )
  const create = (
    <>
      <Button
        variant="default"
        leftSection={<Upload size={16} aria-hidden />}
        onClick={() => change({ import: '1' })}
      >
        Import
      </Button>
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: '1' })}>
        New skill
      </Button>
    </>
  )
  const open = (id: string) => navigate(`/skills/${id}`)
  return (
    <PageFrame
      title="Skills"
      description="What agents know how to do. An agent is told of its skills by name and description, and loads the rest when it needs it."
      actions={create}
    >
      <ListView
        list={list}
        empty={
          <EmptyState icon={GraduationCap} title="No skills yet">
            Write one, or import a SKILL.md or the ZIP archive of a skill’s folder. Then give it to an agent.
          </EmptyState>
        }
      >
        {(skills) => (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="sm" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Origin</Table.Th>
                  <Table.Th ta="right">Version</Table.Th>
                  <Table.Th>Changed</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {skills.map(({ id, slug, description, origin, version, updatedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td maw={560}>
                      <Anchor component={Link} href={`/skills/${id}`} fw={550} fz="sm" c="inherit">
                        {slug}
                      </Anchor>
                      <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                        {description}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <StatusBadge status={origin} />
                    </Table.Td>
                    <Table.Td ta="right">{version}</Table.Td>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>
                      <TimeAgo at={updatedAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
      <NewSkill isOpen={search.has('new')} onClose={() => change({ new: undefined })} onCreated={open} />
      <ImportSkill
        isOpen={search.has('import')}
        onClose={() => change({ import: undefined })}
        onImported={open}
      />
    </PageFrame>
  )
}
