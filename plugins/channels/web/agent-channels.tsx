import { Stack } from '@mantine/core'
import { ChannelCard } from './channel-card.tsx'
import { kinds } from './kinds.ts'

/** The services by which people talk to an agent. */
export default function AgentChannels({ agentId }: { agentId: string }) {
  return (
    <Stack gap="md">
      {kinds.map((it) => (
        <ChannelCard key={it.kind} agentId={agentId} of={it} />
      ))}
    </Stack>
  )
}
