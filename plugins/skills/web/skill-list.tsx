import { Button } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useAddress,
  useList,
  useListSearch
} from 'agent-platform/console'
import { GraduationCap, Plus, Upload } from 'lucide-react'
import { useLocation } from 'wouter'
import { ImportSkill } from './import-skill.tsx'
import { NewSkill } from './new-skill.tsx'

export default function SkillList() {
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const find = useListSearch('skills')
  const list = useList(
    ['skills', 'list'],
    (cursor, signal) =>
      api.get('/v1/skills', { params: { query: { limit: 50, cursor, query: find.query } }, signal }),
    { search: find }
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
      <ListTable
        label="Skills"
        list={list}
        search={find}
        empty={
          <EmptyState icon={GraduationCap} title="No skills yet">
            Write one, or import a SKILL.md or the ZIP archive of a skill’s folder. Then give it to an agent.
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            to: ({ id }) => `/skills/${id}`,
            cell: ({ slug }) => slug,
            note: ({ description }) => description,
            maxWidth: 560
          },
          { header: 'Origin', cell: ({ origin }) => <StatusBadge status={origin} /> },
          { header: 'Version', cell: ({ version }) => version, isNumber: true },
          { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
        ]}
      />
      <NewSkill isOpen={search.has('new')} onClose={() => change({ new: undefined })} onCreated={open} />
      <ImportSkill
        isOpen={search.has('import')}
        onClose={() => change({ import: undefined })}
        onImported={open}
      />
    </PageFrame>
  )
}
