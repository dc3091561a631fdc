import { Button, List, Stack, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, useAction } from 'agent-platform/console'
import { Power, RefreshCw } from 'lucide-react'
import type { Pack } from './queries.ts'
import { packsQuery } from './queries.ts'

/** Enabling, disabling and reloading; each is applied before its button rests. */
export function PackActions({ pack: { name, enabled, status } }: { pack: Pack }) {
  const path = { name }
  const changes = [['packs']]
  const turning = useAction({
    run: (enabled: boolean) => api.put('/v1/packs/{name}', { params: { path }, body: { enabled } }),
    changes,
    done: (_, enabled) => `${name} is ${enabled ? 'enabled' : 'disabled'}`
  })
  const reloading = useAction({
    run: () => api.post('/v1/packs/{name}/reload', { params: { path } }),
    changes,
    done: `${name} is reloaded`
  })
  const isBusy = turning.isPending || reloading.isPending
  const isLocked = enabled.from === 'locked' || name === 'packs'
  const why = name === 'packs' ? 'Only the deployment can turn this one off' : 'Locked by the deployment'
  return (
    <>
      {status !== 'off' && (
        <Button
          variant="default"
          leftSection={<RefreshCw size={16} aria-hidden />}
          onClick={() => reloading.mutate()}
          loading={reloading.isPending}
          disabled={isBusy && !reloading.isPending}
        >
          Reload
        </Button>
      )}
      <Tooltip label={why} disabled={!isLocked}>
        {enabled.value ? (
          <ConfirmButton
            title={`Disable ${name}?`}
            warning={<Consequences name={name} />}
            onClick={() => turning.mutate(false)}
            loading={turning.isPending}
            disabled={isLocked || reloading.isPending}
          >
            Disable
          </ConfirmButton>
        ) : (
          <Button
            leftSection={<Power size={16} aria-hidden />}
            onClick={() => turning.mutate(true)}
            loading={turning.isPending}
            disabled={isLocked}
          >
            Enable
          </Button>
        )}
      </Tooltip>
    </>
  )
}

/** What goes with a pack while it is off. */
function Consequences({ name }: { name: string }) {
  const { data: packs = [] } = useQuery(packsQuery)
  const running = packs.filter(({ status }) => status === 'running')
  const needing = running.filter(({ requires }) => requires.includes(name)).map(({ name }) => name)
  const using = running.filter(({ uses }) => uses.includes(name)).map(({ name }) => name)
  return (
    <Stack gap="xs">
      <Text size="sm" inherit>
        On all instances, until it is enabled again:
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>its routes answer 404, and its pages leave the console;</List.Item>
        <List.Item>its jobs, and the facts that it listens for, wait.</List.Item>
        {using.length > 0 && <List.Item>{using.join(', ')} go on without it.</List.Item>}
        {name === 'console' && (
          <List.Item>This console is gone: enable it over the API or the command line.</List.Item>
        )}
      </List>
      <Text size="sm" inherit>
        {needing.length > 0
          ? `It will be refused while ${needing.join(', ')} ${needing.length > 1 ? 'require' : 'requires'} it.`
          : 'Its data and settings stay.'}
      </Text>
    </Stack>
  )
}
