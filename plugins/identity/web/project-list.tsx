import { Badge, Button, Radio, Stack } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  PageFrame,
  TimeAgo,
  useAddress,
  useList,
  useSession
} from 'agent-platform/console'
import { FolderKanban, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { NameForm } from './name-form.tsx'
import { PersonNotice } from './person-notice.tsx'

/** The projects of the person that has signed in. */
export default function ProjectList() {
  const { principal } = useSession()
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const [environment, setEnvironment] = useState('live')
  const list = useList(['projects', 'list'], (cursor, signal) =>
    api.get('/v1/projects', { params: { query: { limit: 50, cursor } }, signal })
  )
  const isOperator = principal?.scopes.includes('platform:admin')
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => navigate('/projects?new')}>
      New project
    </Button>
  )
  return (
    <PageFrame
      title="Projects"
      description="A project has agents, data and keys of its own. Its members work in it together."
      actions={
        <>
          {isOperator && (
            <Button component={Link} href="/people" variant="default">
              People
            </Button>
          )}
          <Button component={Link} href="/account" variant="default">
            Your account
          </Button>
          {!list.error && create}
        </>
      }
    >
      {list.error && !list.data ? (
        <PersonNotice error={list.error} retry={() => list.refetch()} />
      ) : (
        <ListTable
          label="Projects"
          list={list}
          empty={<EmptyState icon={FolderKanban} title="No projects yet" action={create} />}
          columns={[
            {
              header: 'Name',
              cell: ({ name }) => name,
              to: ({ id }) => `/projects/${id}`,
              note: ({ id }) => (id === principal?.project ? 'You work in it now' : undefined)
            },
            {
              header: 'Environment',
              cell: ({ environment: is }) => (
                <Badge variant="default" radius="sm" tt="none">
                  {is}
                </Badge>
              )
            },
            { header: 'Your role', cell: ({ role }) => role },
            { header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
          ]}
        />
      )}
      <NameForm
        title="New project"
        label="Name"
        submit="Create project"
        isOpen={search.has('new')}
        onClose={() => change({ new: null })}
        changes={[['projects']]}
        run={(name) => api.post('/v1/projects', { body: { name, environment: environment as 'live' } })}
      >
        <Radio.Group label="Environment" value={environment} onChange={setEnvironment}>
          <Stack gap="xs" mt="xs">
            <Radio value="live" label="Live" description="Its keys begin with ap_live_" />
            <Radio value="test" label="Test" description="Its keys begin with ap_test_" />
          </Stack>
        </Radio.Group>
      </NameForm>
    </PageFrame>
  )
}
