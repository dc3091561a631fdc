import { Group, Stack, Title } from '@mantine/core'
import { NewWallet } from './new-wallet.tsx'
import { WalletTable } from './wallet-table.tsx'

/** The wallets of one agent. */
export default function AgentWallets({ agentId }: { agentId: string }) {
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h5">
          Wallets
        </Title>
        <NewWallet agentId={agentId} />
      </Group>
      <WalletTable agentId={agentId} create={null} />
    </Stack>
  )
}
