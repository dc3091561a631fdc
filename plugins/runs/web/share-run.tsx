import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, Dialog, Loaded, useAction } from 'agent-platform/console'
import { Link2, Users } from 'lucide-react'
import { useState } from 'react'

/** Lets the run's owner show it to the project, and takes that back; its link is copied here. */
export function ShareRun({ runId }: { runId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="sm"
        variant="default"
        leftSection={<Users size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        Share
      </Button>
      <Dialog opened={isOpen} onClose={() => setIsOpen(false)} title="Share this run">
        <Sharing runId={runId} />
      </Dialog>
    </>
  )
}

function Sharing({ runId }: { runId: string }) {
  const params = { path: { runId } }
  const key = ['runs', runId, 'sharing']
  const sharing = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get('/v1/agents/runs/{runId}/sharing', { params, signal })
  })
  const changing = useAction({
    run: (audience: 'owner' | 'project') =>
      api.put('/v1/agents/runs/{runId}/sharing', { params, body: { audience } }),
    changes: [key],
    done: ({ data }) =>
      data.audience === 'project' ? 'The project may read it now' : 'It is yours alone again'
  })
  return (
    <Loaded query={sharing}>
      {({ data: { audience } }) => (
        <Stack>
          <Text size="sm">
            {audience === 'project'
              ? 'Everybody of this project who has the link reads this run and follows it.'
              : 'Only you may open the link. Shared, everybody of this project who has it reads what was asked, what tools were called with and returned, and the answer. The rest of the conversation stays yours.'}
          </Text>
          <Group justify="space-between">
            <CopyLink />
            {audience === 'project' ? (
              <Button
                variant="light"
                color="red"
                loading={changing.isPending}
                onClick={() => changing.mutate('owner')}
              >
                Stop sharing
              </Button>
            ) : (
              <Button loading={changing.isPending} onClick={() => changing.mutate('project')}>
                Share with the project
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}

export const CopyLink = () => (
  <CopyButton value={location.href}>
    {({ copied, copy }) => (
      <Button size="sm" variant="default" leftSection={<Link2 size={16} aria-hidden />} onClick={copy}>
        {copied ? 'Copied' : 'Copy link'}
      </Button>
    )}
  </CopyButton>
)
