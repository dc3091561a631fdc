import { Button, Fieldset, Group, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { ErrorNotice, Form, Panel, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { Policy, Wallet } from './queries.ts'
import { ALL, change } from './queries.ts'

const assets = { stablecoin: 'Stablecoin', native: 'The network’s own coin' } as const
const limits = {
  maxPerPayment: 'At most at once',
  maxPerDay: 'At most within 24 hours',
  approvalAbove: 'A person is asked above'
} as const
type Asset = keyof typeof assets
type Limit = keyof typeof limits

const linesOf = (text: string) => {
  const lines = text.split(/\s+/).filter(Boolean)
  return lines.length > 0 ? lines : null
}

/** What the wallet may pay, which no agent can change. */
export function PolicyForm({ wallet: { id, policy: saved } }: { wallet: Wallet }) {
  const [policy, setPolicy] = useState<Policy>(saved)
  const [recipients, setRecipients] = useState(saved.recipients?.join('\n') ?? '')
  const [hosts, setHosts] = useState(saved.hosts?.join('\n') ?? '')
  const saving = useAction({
    run: () => change(id, { policy: { ...policy, recipients: linesOf(recipients), hosts: linesOf(hosts) } }),
    changes: [ALL],
    done: 'Its limits hold from now on',
    isQuiet: true
  })
  const set = (asset: Asset, limit: Limit, text: string) =>
    setPolicy({ ...policy, [asset]: { ...policy[asset], [limit]: text.trim() || null } })
  return (
    <Panel title="Limits" description="Checked where payments are signed. What is left empty has no limit.">
      <Form action={saving} onSubmit={() => saving.mutate()}>
        <Stack>
          {(Object.keys(assets) as Asset[]).map((asset) => (
            <Fieldset key={asset} legend={assets[asset]}>
              <SimpleGrid cols={{ base: 1, sm: 3 }}>
                {(Object.keys(limits) as Limit[]).map((limit) => (
                  <TextInput
                    key={limit}
                    label={limits[limit]}
                    value={policy[asset][limit] ?? ''}
                    onChange={({ currentTarget }) => set(asset, limit, currentTarget.value)}
                    inputMode="decimal"
                  />
                ))}
              </SimpleGrid>
            </Fieldset>
          ))}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Textarea
              label="Who may be paid"
              description="Addresses, one a line; empty: anyone"
              value={recipients}
              onChange={({ currentTarget }) => setRecipients(currentTarget.value)}
              autosize
              minRows={2}
            />
            <Textarea
              label="Hosts that may be paid for answers"
              description="One a line, *. for those below; empty: any"
              value={hosts}
              onChange={({ currentTarget }) => setHosts(currentTarget.value)}
              autosize
              minRows={2}
            />
          </SimpleGrid>
          {saving.error ? <ErrorNotice error={saving.error} /> : null}
          <Group justify="flex-end">
            <Button type="submit" loading={saving.isPending}>
              Save limits
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}
