import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  CodeBlock,
  ConfirmButton,
  Details,
  Loaded,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import { act } from './act.ts'
import { ConnectForm } from './connect-form.tsx'
import type { Kind } from './kinds.ts'

/** What is told once: a code of `pair`, a secret of `connect`, or a sentence. */
interface Told {
  readonly text: string
  readonly value?: string
}

/** How one service stands, and what can be done with it. */
export function ChannelCard({
  agentId,
  of: { kind, title, summary, fields }
}: {
  agentId: string
  of: Kind
}) {
  const key = ['channel', agentId, kind]
  const channel = useQuery({ queryKey: key, queryFn: () => act(agentId, kind, 'status') })
  const [told, setTold] = useState<Told>()
  const [isEdited, setEdited] = useState(false)
  const isConnected = channel.data?.state === 'connected'
  const isShort = channel.data !== undefined && !isConnected && !isEdited && !told
  const label = isEdited ? 'Not now' : isConnected ? 'Connect anew' : 'Connect'
  const pairing = useAction({
    run: () => act(agentId, kind, 'pair'),
    changes: [key],
    onDone: ({ code = '' }) =>
      setTold({
        text: 'Write this in the conversation that is to be paired, within ten minutes.',
        value: code
      })
  })
  const testing = useAction({
    run: () => act(agentId, kind, 'test'),
    changes: [key],
    onDone: ({ account }) => setTold({ text: account ? `It works, as ${account}.` : 'It works.' })
  })
  const disconnecting = useAction({
    run: () => act(agentId, kind, 'disconnect'),
    changes: [key],
    done: `${title} is disconnected`,
    onDone: () => setTold(undefined)
  })
  return (
    <Panel
      title={title}
      description={summary}
      actions={
        <>
          <StatusBadge status={channel.data?.state ?? 'disconnected'} />
          {isConnected && (
            <>
              <Button
                size="xs"
                variant="default"
                onClick={() => testing.mutate()}
                loading={testing.isPending}
              >
                Test
              </Button>
              <Button
                size="xs"
                variant="default"
                onClick={() => pairing.mutate()}
                loading={pairing.isPending}
              >
                Pair
              </Button>
              <ConfirmButton
                size="xs"
                title={`Disconnect ${title}?`}
                warning="Its credentials are deleted, and messages that wait for an answer get none."
                onClick={() => disconnecting.mutate()}
                loading={disconnecting.isPending}
              >
                Disconnect
              </ConfirmButton>
            </>
          )}
          <Button
            size="xs"
            onClick={() => setEdited(!isEdited)}
            aria-expanded={isEdited}
            aria-label={`${label}: ${title}`}
            variant={isConnected || isEdited ? 'default' : 'filled'}
          >
            {label}
          </Button>
        </>
      }
    >
      {isShort ? null : (
        <Loaded query={channel}>
          {(channel) => (
            <Stack gap="sm">
              {told && (
                <Alert
                  variant="light"
                  color={told.value ? 'orange' : 'green'}
                  onClose={() => setTold(undefined)}
                  withCloseButton
                  closeButtonLabel="Close"
                >
                  <Stack gap="xs">
                    <Text size="sm">{told.text}</Text>
                    {told.value && <CodeBlock value={told.value} label={`Of ${title}`} />}
                  </Stack>
                </Alert>
              )}
              {isConnected && <State channel={channel} />}
              {isEdited && (
                <ConnectForm
                  agentId={agentId}
                  kind={kind}
                  fields={fields}
                  connected={(secret) => {
                    setEdited(false)
                    setTold(
                      secret
                        ? { text: 'Deliveries are signed with this. It is shown this once.', value: secret }
                        : undefined
                    )
                  }}
                />
              )}
            </Stack>
          )}
        </Loaded>
      )}
    </Panel>
  )
}

const State = ({ channel }: { channel: Schemas['ChannelActed'] }) => {
  const { account, access, address, conversations = 0, waiting, reason, connectedAt } = channel
  const paired = conversations === 1 ? 'One conversation, paired' : `${conversations} conversations, paired`
  return (
    <Details
      of={{
        Account: account ?? undefined,
        'Who may talk': access === 'open' ? 'Everyone who can write to it' : paired,
        Waiting: waiting || undefined,
        'Delivered to': address ? <Code style={{ overflowWrap: 'anywhere' }}>{address}</Code> : undefined,
        Since: connectedAt ? <TimeAgo at={connectedAt} /> : undefined,
        'Not sent': reason ?? undefined
      }}
    />
  )
}
