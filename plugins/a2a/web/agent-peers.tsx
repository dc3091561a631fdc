import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  DataTable,
  EmptyState,
  ErrorNotice,
  Form,
  Loaded,
  Panel,
  SearchSelect,
  useAction,
  useAgentNames
} from 'agent-platform/console'
import { Waypoints } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Peer, RemoteAgent } from './queries.ts'
import { peersQuery, remotesQuery, toolsQuery } from './queries.ts'

/** The agents that this one turns to first, here and elsewhere. */
export default function AgentPeers({ agentId }: { agentId: string }) {
  const peers = useQuery(peersQuery(agentId))
  return (
    <Panel
      title="Preferred peers"
      description="The agents, here or elsewhere, that its tool delegate turns to first."
    >
      <Loaded query={peers}>
        {(peers) => (
          <Stack gap="lg">
            <PinForm agentId={agentId} peers={peers} />
            <Peers agentId={agentId} peers={peers} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

interface Listed {
  readonly agentId: string
  readonly peers: readonly Peer[]
}

function PinForm({ agentId, peers }: Listed) {
  const { data: remotes = [] } = useQuery(remotesQuery)
  const { data: tools = [] } = useQuery(toolsQuery(agentId))
  const [peerAgentId, setPeerAgentId] = useState<string | null>(null)
  const [description, setDescription] = useState('')
  const [isGiven, setIsGiven] = useState(true)
  const pinned = new Set([agentId, ...peers.map((peer) => peer.peerAgentId)])
  const remote = remotes.find(({ id }) => id === peerAgentId)
  const lacking = remote && tools.every(({ toolId }) => toolId !== remote.toolId) ? remote : undefined
  const pinning = useAction({
    run: async (peerAgentId: string) => {
      const params = { path: { agentId } }
      // First: a peer elsewhere that is no tool of the agent cannot be called.
      if (lacking && isGiven)
        await api.post('/v1/agents/{agentId}/tools', {
          params,
          body: { toolId: lacking.toolId, policy: 'ask' }
        })
      const body = { peerAgentId, ...(description.trim() && { description: description.trim() }) }
      return api.post('/v1/agents/{agentId}/preferred-connections', { params, body })
    },
    changes: [
      ['a2a', agentId],
      ['tools', 'assigned', agentId]
    ],
    done: 'The peer is pinned',
    isQuiet: true,
    onDone: () => {
      setPeerAgentId(null)
      setDescription('')
    }
  })
  return (
    <Form
      action={pinning}
      onSubmit={() => {
        if (peerAgentId) pinning.mutate(peerAgentId)
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <SearchSelect
            label="Agent"
            placeholder="Choose an agent"
            what="agents"
            of="peers"
            find={async (query, signal) => {
              const [here, elsewhere] = await Promise.all([
                api.get('/v1/agents', { params: { query }, signal }),
                api.get('/v1/a2a/remotes', { params: { query }, signal })
              ])
              const options = [
                ...elsewhere.data.map(({ id, name }) => ({ value: id, label: `${name} (remote)` })),
                ...here.data.map(({ id, name }) => ({ value: id, label: name }))
              ]
              return options.filter(({ value }) => !pinned.has(value))
            }}
            read={async (id) => id}
            value={peerAgentId}
            onChange={setPeerAgentId}
            flex={1}
            miw={200}
          />
          <TextInput
            label="When to prefer it"
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            maxLength={500}
            autoComplete="off"
            flex={2}
            miw={200}
          />
          <Button type="submit" disabled={!peerAgentId} loading={pinning.isPending}>
            Pin
          </Button>
        </Group>
        {lacking && (
          <Checkbox
            label={`Give the agent its tool ${lacking.toolName} as well`}
            description="Without it the agent cannot call it. A person is asked before each call, until you change that below Tools."
            checked={isGiven}
            onChange={({ currentTarget }) => setIsGiven(currentTarget.checked)}
          />
        )}
        {pinning.error ? <ErrorNotice error={pinning.error} /> : null}
      </Stack>
    </Form>
  )
}

function Peers({ agentId, peers }: Listed) {
  const { data: remotes = [] } = useQuery(remotesQuery)
  const agents = useAgentNames(
    peers.map((peer) => peer.peerAgentId).filter((id) => !id.startsWith('remote_'))
  )
  const remoteOf = ({ peerAgentId }: Peer) => remotes.find(({ id }) => id === peerAgentId)
  const nameOf = (peer: Peer) => remoteOf(peer)?.name ?? agents.get(peer.peerAgentId) ?? peer.peerAgentId
  const removing = useAction({
    run: ({ id }: Peer) => api.delete('/v1/agents/preferred-connections/{id}', { params: { path: { id } } }),
    changes: [['a2a', agentId]],
    done: (_, peer) => `${nameOf(peer)} is no preferred peer any more`
  })
  return (
    <DataTable
      label="Preferred peers"
      rows={peers}
      empty={
        <EmptyState icon={Waypoints} title="No preferred peers">
          Pin an agent, and this one is told of it when it hands work on.
        </EmptyState>
      }
      columns={[
        {
          header: 'Agent',
          to: (peer) => (remoteOf(peer) ? '/remote-agents' : `/agents/${peer.peerAgentId}`),
          cell: nameOf,
          note: ({ description }) => description,
          maxWidth: 320
        },
        { header: 'Where', cell: (peer) => (remoteOf(peer) ? 'elsewhere' : 'here') },
        { header: 'Called as', cell: (peer) => <CalledAs agentId={agentId} remote={remoteOf(peer)} /> },
        {
          header: 'Unpin',
          isAction: true,
          cell: (peer) => (
            <ConfirmButton
              size="compact-sm"
              title={`Unpin ${nameOf(peer)}?`}
              warning="The agent is not pointed to it any more. Its tool stays with the agent."
              onClick={() => removing.mutate(peer)}
              loading={removing.isPending && removing.variables.id === peer.id}
            >
              Unpin
            </ConfirmButton>
          )
        }
      ]}
    />
  )
}

/** The tool by which an agent elsewhere is called, and what that carries. */
function CalledAs({ agentId, remote }: { agentId: string; remote: RemoteAgent | undefined }) {
  const { data: tools } = useQuery(toolsQuery(agentId))
  if (!remote) return 'a run of its own'
  const { toolId, toolName } = remote
  const isGiven = tools?.some((tool) => tool.toolId === toolId) ?? true
  return (
    <Stack gap={0}>
      <Text size="sm">{toolName}</Text>
      {!isGiven && (
        <Anchor component={Link} href={`/agents/${agentId}/tools`} size="xs" underline="always">
          not given to the agent yet
        </Anchor>
      )}
      <Anchor component={Link} href={`/tools/${toolId}/credentials`} size="xs" underline="always">
        with a key or a connection
      </Anchor>
    </Stack>
  )
}
