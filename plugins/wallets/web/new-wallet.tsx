import { Button, Group, Stack, TextInput } from '@mantine/core'
import {
  AgentSelect,
  api,
  CancelButton,
  Dialog,
  ErrorNotice,
  Form,
  useAction,
  useAddress
} from 'agent-platform/console'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ALL } from './queries.ts'

/** Whether it is open stands in the address. */
export function NewWallet({ agentId }: { agentId?: string }) {
  const { search, change } = useAddress()
  const close = () => change({ new: null })
  return (
    <>
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: 'wallet' })}>
        New wallet
      </Button>
      <Dialog opened={search.get('new') === 'wallet'} onClose={close} title="New wallet">
        <NewWalletForm agentId={agentId} onClose={close} />
      </Dialog>
    </>
  )
}

function NewWalletForm({ agentId: given, onClose }: { agentId: string | undefined; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [agentId, setAgentId] = useState<string | null>(given ?? null)
  const [name, setName] = useState('')
  const [network, setNetwork] = useState('')
  const saving = useAction({
    run: () =>
      api.post('/v1/wallets', {
        body: { agentId: agentId ?? '', ...(name && { name }), ...(network && { network }) }
      }),
    changes: [ALL],
    onDone: ({ data }) => navigate(`/wallets/${data.id}`),
    isQuiet: true
  })
  return (
    <Form action={saving} onSubmit={() => saving.mutate()}>
      <Stack>
        {!given && <AgentSelect label="Agent" value={agentId} onChange={setAgentId} required />}
        <TextInput
          label="Name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={200}
          data-autofocus
        />
        <TextInput
          label="Network"
          description="Default: the first of this platform"
          value={network}
          onChange={({ currentTarget }) => setNetwork(currentTarget.value)}
          maxLength={64}
        />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={saving.isPending} disabled={!agentId}>
            Create wallet
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
