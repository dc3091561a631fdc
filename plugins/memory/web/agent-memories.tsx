import { Divider, Stack } from '@mantine/core'
import { AgentMemoryView } from './agent-memory-view.tsx'
import { MemorySettings } from './memory-settings.tsx'

/** Tab of an agent: what it remembers, and how. */
export default function AgentMemories({ agentId }: { agentId: string }) {
  return (
    <Stack gap="xl">
      <AgentMemoryView agentId={agentId} />
      <Divider />
      <MemorySettings agentId={agentId} />
    </Stack>
  )
}
