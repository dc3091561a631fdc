import { Badge, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, PageFrame, signInAddress, useAction, useSession } from 'agent-platform/console'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { NameForm } from './name-form.tsx'
import { PersonNotice } from './person-notice.tsx'
import { ProjectKeys } from './project-keys.tsx'
import { ProjectMembers } from './project-members.tsx'
import type { Project } from './queries.ts'
import { projectQuery } from './queries.ts'

const crumbs = [{ label: 'Projects', to: '/projects' }]

export default function ProjectPage() {
  const { projectId = '' } = useParams()
  const query = useQuery(projectQuery(projectId))
  if (query.data) return <Shown project={query.data} />
  return (
    <PageFrame title="Project" crumbs={crumbs}>
      {query.error && <PersonNotice error={query.error} retry={() => query.refetch()} />}
    </PageFrame>
  )
}

function Shown({ project }: { project: Project }) {
  const { id: projectId, name, environment, role } = project
  const { principal, signInMethods } = useSession()
  const [, navigate] = useLocation()
  const [isRenaming, setIsRenaming] = useState(false)
  const isOpenNow = principal?.project === projectId
  const method = signInMethods.find(({ key }) => key === 'identity')
  const params = { path: { projectId } }
  const closing = useAction({
    run: () => api.delete('/v1/projects/{projectId}', { params }),
    changes: [['projects', 'list']],
    // The session was of that project.
    onDone: () => (isOpenNow ? location.reload() : navigate('/projects'))
  })
  return (
    <PageFrame
      title={name}
      crumbs={crumbs}
      badge={
        <Badge variant="default" radius="sm" tt="none">
          {environment}
        </Badge>
      }
      actions={
        <>
          {method && !isOpenNow && (
            <Button component="a" href={signInAddress(method, { project: projectId, to: '/' })}>
              Work in it
            </Button>
          )}
          {role === 'owner' && (
            <>
              <Button variant="default" onClick={() => setIsRenaming(true)}>
                Rename
              </Button>
              <ConfirmButton
                title={`Close ${name}?`}
                warning="All members and services lose access at once: keys, tokens, open streams and work in the background end. What is in the project is not deleted, but reached by nobody, unless an operator invites an owner anew."
                onClick={() => closing.mutate()}
                loading={closing.isPending}
              >
                Close project
              </ConfirmButton>
            </>
          )}
        </>
      }
    >
      <Stack gap="lg">
        <ProjectMembers projectId={projectId} isOwner={role === 'owner'} />
        <ProjectKeys projectId={projectId} isOwner={role === 'owner'} />
      </Stack>
      <NameForm
        title="Rename the project"
        label="Name"
        submit="Rename"
        value={name}
        isOpen={isRenaming}
        onClose={() => setIsRenaming(false)}
        changes={[['projects']]}
        run={(renamed) => api.put('/v1/projects/{projectId}', { params, body: { name: renamed } })}
      />
    </PageFrame>
  )
}
