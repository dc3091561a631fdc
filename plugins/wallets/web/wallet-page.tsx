import { Alert, Code, CopyButton, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  ActionButton,
  AgentLink,
  api,
  ConfirmButton,
  Details,
  Loaded,
  PageFrame,
  Panel,
  TimeAgo,
  useAction
} from 'agent-platform/console'
import { Snowflake } from 'lucide-react'
import { useParams } from 'wouter'
import { Approvals } from './approvals.tsx'
import { PolicyForm } from './policy-form.tsx'
import type { Wallet } from './queries.ts'
import { ALL, balanceQuery, change, walletQuery } from './queries.ts'
import { Transfers } from './transfers.tsx'
import { State } from './wallet-table.tsx'

/** A wallet: what is in it, what it may pay, what it paid, and its end. */
export default function WalletPage() {
  const { walletId = '' } = useParams()
  const wallet = useQuery(walletQuery(walletId))
  const { data } = wallet
  return (
    <PageFrame
      title={data?.name ?? 'Wallet'}
      crumbs={[{ label: 'Wallets', to: '/wallets' }]}
      badge={data && <State wallet={data} />}
      actions={data?.status === 'active' && <Actions wallet={data} />}
    >
      <Loaded query={wallet}>
        {(it) => (
          <Stack gap="lg">
            {it.frozen && (
              <Alert color="orange" variant="light" title="It is frozen">
                Nothing is paid from it until you let it.
              </Alert>
            )}
            <Holdings wallet={it} />
            <Approvals agentId={it.agentId} />
            <Transfers walletId={it.id} />
            {it.status === 'active' && <PolicyForm key={it.version} wallet={it} />}
            {it.status === 'active' && <Removal wallet={it} />}
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Actions({ wallet: { id, frozen, primary } }: { wallet: Wallet }) {
  const freezing = useAction({
    run: () => change(id, { frozen: !frozen }),
    changes: [ALL],
    done: frozen ? 'It may pay again' : 'Nothing is paid from it any more'
  })
  const choosing = useAction({
    run: () => change(id, { primary: true }),
    changes: [ALL],
    done: 'Its agent pays with it from now on'
  })
  return (
    <>
      <ActionButton
        variant={frozen ? 'filled' : 'default'}
        leftSection={<Snowflake size={16} aria-hidden />}
        onClick={() => freezing.mutate()}
        loading={freezing.isPending}
      >
        {frozen ? 'Unfreeze' : 'Freeze'}
      </ActionButton>
      {!primary && (
        <ActionButton variant="default" onClick={() => choosing.mutate()} loading={choosing.isPending}>
          Make primary
        </ActionButton>
      )}
    </>
  )
}

function Holdings({ wallet: { id, address, agentId, network, signer, createdAt } }: { wallet: Wallet }) {
  const balance = useQuery(balanceQuery(id))
  return (
    <Panel title="Balance" description="As the latest block has it.">
      <Stack>
        <Loaded query={balance}>
          {({ stablecoin, native }) => (
            <Group gap="xl">
              {[stablecoin, native].map(
                (it) =>
                  it && (
                    <Text key={it.symbol} size="xl" fw={600} style={{ overflowWrap: 'anywhere' }}>
                      {it.amount} {it.symbol}
                    </Text>
                  )
              )}
            </Group>
          )}
        </Loaded>
        <Details
          of={{
            Address: (
              <CopyButton value={address}>
                {({ copied, copy }) => (
                  <UnstyledButton onClick={copy} title="Copy">
                    <Code>{address}</Code> {copied && 'copied'}
                  </UnstyledButton>
                )}
              </CopyButton>
            ),
            Network: network,
            Agent: <AgentLink agentId={agentId} />,
            'Its key is with': signer === 'local' ? 'this platform' : signer,
            Created: <TimeAgo at={createdAt} />
          }}
        />
      </Stack>
    </Panel>
  )
}

function Removal({ wallet: { id, name } }: { wallet: Wallet }) {
  const removing = useAction({
    run: () => api.delete('/v1/wallets/{walletId}', { params: { path: { walletId: id } } }),
    changes: [ALL],
    done: 'The wallet is deactivated'
  })
  return (
    <Panel title="Deactivate it" description="Once it is empty. What it paid is kept.">
      <ConfirmButton
        title={`Deactivate ${name ?? 'this wallet'}?`}
        warning="Nothing is paid from it any more. Its key is kept, for what may still be sent to its address."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Deactivate
      </ConfirmButton>
    </Panel>
  )
}
