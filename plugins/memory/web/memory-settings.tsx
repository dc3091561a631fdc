import { Button, Group, NumberInput, Stack, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, Form, Loaded, useAction, useDraft } from 'agent-platform/console'
import { settingsQuery } from './queries.ts'

/** How an agent remembers: what stands in its prompts, and whether it learns from each run. */
export function MemorySettings({ agentId }: { agentId: string }) {
  const settings = useQuery(settingsQuery(agentId))
  return (
    <Stack component="section" aria-label="How it remembers" maw={640}>
      <div>
        <Title order={2} size="h5">
          How it remembers
        </Title>
        <Text size="sm" c="dimmed">
          The tools “remember”, “recall” and “forget” are given with its other tools.
        </Text>
      </div>
      <Loaded query={settings}>{(settings) => <SettingsForm agentId={agentId} settings={settings} />}</Loaded>
    </Stack>
  )
}

interface Draft {
  readonly contextTokens: number
  readonly extraction: boolean
}

function SettingsForm({ agentId, settings }: { agentId: string; settings: Draft & { version: number } }) {
  const edited = useDraft(
    `memory settings ${agentId}`,
    settings,
    ({ contextTokens, extraction }): Draft => ({
      contextTokens,
      extraction
    })
  )
  const { value: draft, set: setDraft } = edited
  const saving = useAction({
    run: (body: Draft) =>
      api.patch('/v1/memory/agents/{agentId}/settings', { params: { path: { agentId } }, body }),
    changes: [settingsQuery(agentId).queryKey],
    draft: edited,
    done: 'It is saved'
  })
  return (
    <Form action={saving} draft={edited} onSubmit={() => saving.mutate(draft)}>
      <Stack>
        <NumberInput
          label="Tokens of memories in a prompt"
          description="0: none are put there, and it remembers by its tools alone"
          value={draft.contextTokens}
          onChange={(next) => setDraft({ ...draft, contextTokens: Number(next) || 0 })}
          min={0}
          max={100_000}
          allowDecimal={false}
          thousandSeparator=","
          maw={280}
        />
        <Switch
          label="Learn from each run"
          description="After a run the agent’s model is asked what is worth remembering. That costs one call of the model a run."
          checked={draft.extraction}
          onChange={({ currentTarget }) => setDraft({ ...draft, extraction: currentTarget.checked })}
        />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
