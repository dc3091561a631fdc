import { Button, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  ActionButton,
  api,
  bytesOf,
  ConfirmButton,
  Contributed,
  Details,
  Loaded,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction,
  useAddress
} from 'agent-platform/console'
import type { Computer } from './queries.ts'
import { computerQuery, params } from './queries.ts'

/** Each is loaded when it is first shown. */
const parts = {
  terminal: { title: 'Terminal', load: () => import('./terminal.tsx') },
  files: { title: 'Files', load: () => import('./files.tsx') },
  browser: { title: 'Browser', load: () => import('./browser.tsx') },
  events: { title: 'Events', load: () => import('./events.tsx') },
  settings: { title: 'Settings', load: () => import('./settings.tsx') }
} as const
type Part = keyof typeof parts

/** The computer of an agent: how it is, and what is in it. */
export default function AgentComputer({ agentId }: { agentId: string }) {
  const computer = useQuery(computerQuery(agentId))
  return (
    <Loaded query={computer}>
      {(computer) =>
        computer.state === 'off' ? (
          <Off agentId={agentId} />
        ) : (
          <Stack gap="lg">
            <State agentId={agentId} computer={computer} />
            <Parts agentId={agentId} />
          </Stack>
        )
      }
    </Loaded>
  )
}

function Off({ agentId }: { agentId: string }) {
  const enabling = useAction({
    run: () =>
      api.put('/v1/agents/{agentId}/computer/config', { params: params(agentId), body: { enabled: true } }),
    changes: [['computer', agentId]],
    done: 'The computer is enabled'
  })
  return (
    <Panel title="Computer" actions={<StatusBadge status="off" />}>
      <Stack align="flex-start">
        <Text size="sm">
          This agent has no computer. One of its own keeps its files, runs commands and has a browser; it
          reaches no host but those that you allow, and sleeps while nothing needs it.
        </Text>
        <Button size="sm" onClick={() => enabling.mutate()} loading={enabling.isPending}>
          Enable the computer
        </Button>
      </Stack>
    </Panel>
  )
}

function State({ agentId, computer }: { agentId: string; computer: Computer }) {
  const act = (what: 'wake' | 'sleep' | 'restart', done: string) => ({
    run: () => api.post(`/v1/agents/{agentId}/computer/${what}`, { params: params(agentId) }),
    changes: [['computer', agentId]],
    done
  })
  const waking = useAction(act('wake', 'It is awake'))
  const sleeping = useAction(act('sleep', 'It sleeps'))
  const restarting = useAction(act('restart', 'It is awake anew'))
  const disabling = useAction({
    run: () =>
      api.put('/v1/agents/{agentId}/computer/config', { params: params(agentId), body: { enabled: false } }),
    changes: [['computer', agentId]],
    done: 'The computer is off'
  })
  const isAwake = computer.state === 'awake'
  const { vcpu, memoryMb, storageMb, memoryBytes, storageBytes, provider, wokeAt, reason } = computer
  return (
    <Panel
      title="Computer"
      actions={
        <>
          <StatusBadge status={computer.state} />
          {isAwake ? (
            <>
              <ActionButton variant="default" onClick={() => sleeping.mutate()} loading={sleeping.isPending}>
                Sleep
              </ActionButton>
              <ConfirmButton
                title="Restart the computer?"
                warning="What runs in it ends. Its files stay."
                onClick={() => restarting.mutate()}
                loading={restarting.isPending}
              >
                Restart
              </ConfirmButton>
            </>
          ) : (
            <ActionButton onClick={() => waking.mutate()} loading={waking.isPending}>
              Wake
            </ActionButton>
          )}
          <Switch
            label="Enabled"
            checked
            onChange={() => disabling.mutate()}
            disabled={disabling.isPending}
            aria-label="The computer is enabled"
          />
        </>
      }
    >
      <Details
        of={{
          Processors: vcpu,
          Memory: memoryBytes === null ? `${memoryMb} MB` : `${bytesOf(memoryBytes)} of ${memoryMb} MB`,
          Disk: `${bytesOf(storageBytes)} of ${storageMb} MB when it slept last`,
          Provider: provider,
          Woke: wokeAt ? <TimeAgo at={wokeAt} /> : 'Never',
          Reason: reason?.replaceAll('_', ' ') ?? undefined
        }}
      />
    </Panel>
  )
}

function Parts({ agentId }: { agentId: string }) {
  const { search, change } = useAddress()
  const asked = search.get('show') ?? ''
  const shown: Part = asked in parts ? (asked as Part) : 'terminal'
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="What is shown of the computer"
        value={shown}
        onChange={(show) => change({ show, path: null })}
        data={Object.entries(parts).map(([value, { title }]) => ({ value, label: title }))}
        // As wide as each label is, so that all of them stand on a phone.
        styles={{ control: { flex: '1 1 auto' }, label: { paddingInline: 6 } }}
        fullWidth
      />
      <Contributed key={`${agentId} ${shown}`} load={parts[shown].load} agentId={agentId} />
    </Stack>
  )
}
