import {
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput
} from '@mantine/core'
import { api, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { ActiveHoursFields } from './active-hours-fields.tsx'
import type { Heartbeat } from './queries.ts'

type Changes = Schemas['HeartbeatChanges']
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

const fieldsOf = (heartbeat: Heartbeat) => {
  const { enabled, timezone, activeHours, prompt, dailyBeats, dailyTokens } = heartbeat
  const { cronExpression, intervalMinutes } = heartbeat
  const isCron = cronExpression !== null
  return {
    enabled,
    timezone,
    activeHours,
    prompt,
    dailyBeats,
    dailyTokens,
    cronExpression,
    intervalMinutes,
    isCron
  }
}

export function HeartbeatForm({ heartbeat }: { heartbeat: Heartbeat }) {
  const { agentId } = heartbeat
  const edited = useDraft(`heartbeat ${agentId}`, heartbeat, fieldsOf)
  const { value: draft, change: set } = edited
  const { isCron } = draft
  const saving = useAction({
    run: (body: Changes) =>
      api.put('/v1/agents/{agentId}/autonomy', {
        params: { path: { agentId } },
        headers: { 'if-match': `"${edited.base.version}"` },
        body
      }),
    changes: [['autonomy', agentId]],
    draft: edited,
    done: 'The heartbeat is saved',
    isQuiet: true
  })
  return (
    <Form
      action={saving}
      draft={edited}
      onSubmit={() => {
        const { enabled, timezone, activeHours, prompt, dailyBeats, dailyTokens } = draft
        const times = isCron
          ? { cronExpression: draft.cronExpression }
          : { intervalMinutes: draft.intervalMinutes }
        saving.mutate({ enabled, timezone, activeHours, prompt, dailyBeats, dailyTokens, ...times })
      }}
    >
      <Stack maw={640}>
        <Switch
          label="The agent acts without being asked"
          checked={draft.enabled}
          onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
        />
        <Textarea
          label="Prompt"
          description="What it is to look after. Left empty: a default one."
          value={draft.prompt ?? ''}
          onChange={({ currentTarget }) => set({ prompt: currentTarget.value || null })}
          maxLength={20_000}
          autosize
          minRows={3}
          maxRows={14}
        />
        <SegmentedControl
          aria-label="How often"
          data={[
            { value: 'interval', label: 'By an interval' },
            { value: 'cron', label: 'By a cron expression' }
          ]}
          value={isCron ? 'cron' : 'interval'}
          onChange={(value) => set({ isCron: value === 'cron' })}
        />
        {isCron ? (
          <TextInput
            label="Cron expression"
            description="Minute, hour, day of the month, month, day of the week."
            placeholder="0 9 * * 1-5"
            value={draft.cronExpression ?? ''}
            onChange={({ currentTarget }) => set({ cronExpression: currentTarget.value })}
            maxLength={200}
            required
          />
        ) : (
          <NumberInput
            label="Minutes from one beat to the next"
            min={1}
            max={10_080}
            allowDecimal={false}
            value={draft.intervalMinutes ?? ''}
            onChange={(minutes) => set({ intervalMinutes: minutes === '' ? null : Number(minutes) })}
            required
          />
        )}
        <Select
          label="Time zone"
          data={[...new Set([draft.timezone, ...zones])]}
          value={draft.timezone}
          onChange={(timezone) => timezone && set({ timezone })}
          allowDeselect={false}
          searchable
        />
        <ActiveHoursFields value={draft.activeHours} onChange={(activeHours) => set({ activeHours })} />
        <Group grow align="flex-start">
          <NumberInput
            label="Beats a day, at most"
            placeholder="No limit"
            min={1}
            max={1_440}
            allowDecimal={false}
            value={draft.dailyBeats ?? ''}
            onChange={(beats) => set({ dailyBeats: beats === '' ? null : Number(beats) })}
          />
          <NumberInput
            label="Tokens a day, at most"
            placeholder="No limit"
            min={1}
            allowDecimal={false}
            thousandSeparator=","
            value={draft.dailyTokens ?? ''}
            onChange={(tokens) => set({ dailyTokens: tokens === '' ? null : Number(tokens) })}
          />
        </Group>
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
