import { Autocomplete, Input, SegmentedControl, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import dayjs from 'dayjs'
import { cronInWords, suggestions } from './cron-words.ts'
import type { FieldsProps, TaskDraft, When } from './task-draft.ts'

const times = [
  { value: 'by hand', label: 'On demand' },
  { value: 'once', label: 'Once' },
  { value: 'cron', label: 'By a schedule' }
]
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

/** When it runs: whenever it is executed, at one time, or by a cron expression. */
export function ScheduleFields({ draft, onChange }: FieldsProps) {
  const set = (changes: Partial<TaskDraft>) => onChange({ ...draft, ...changes })
  return (
    <Stack gap="sm">
      <Input.Wrapper label="When" labelElement="div">
        <SegmentedControl
          aria-label="When"
          fullWidth
          mt={4}
          data={times}
          value={draft.when}
          onChange={(when) => set({ when: when as When })}
        />
      </Input.Wrapper>
      {draft.when === 'by hand' && (
        <Text size="xs" c="dimmed">
          It runs when it is executed, here or by the API.
        </Text>
      )}
      {draft.when === 'once' && (
        <TextInput
          type="datetime-local"
          label="Date and time"
          description={`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}. What is past is due at once.`}
          value={draft.scheduledFor ? dayjs(draft.scheduledFor).format('YYYY-MM-DDTHH:mm') : ''}
          onChange={({ currentTarget: { value } }) =>
            set({ scheduledFor: value ? dayjs(value).toISOString() : null })
          }
          required
        />
      )}
      {draft.when === 'cron' && <CronFields draft={draft} onChange={onChange} />}
    </Stack>
  )
}

function CronFields({ draft, onChange }: FieldsProps) {
  const set = (changes: Partial<TaskDraft>) => onChange({ ...draft, ...changes })
  const words = cronInWords(draft.cronExpression)
  return (
    <>
      <Autocomplete
        label="Cron expression"
        description={words ?? 'Minute, hour, day of the month, month, day of the week.'}
        placeholder="0 9 * * 1"
        data={[...suggestions]}
        withScrollArea={false}
        comboboxProps={{ withinPortal: false }}
        // All of them, whatever is entered: they are there to begin with.
        filter={({ options }) => options}
        renderOption={({ option }) => (
          <div>
            <Text size="sm">{cronInWords(option.value)}</Text>
            <Text size="xs" c="dimmed" ff="monospace">
              {option.value}
            </Text>
          </div>
        )}
        value={draft.cronExpression}
        onChange={(cronExpression) => set({ cronExpression })}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        required
      />
      <Select
        label="Time zone"
        data={zones}
        value={draft.timezone}
        onChange={(timezone) => set({ timezone })}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No time zone of that name"
      />
      <Switch
        label="Again and again"
        description="Off: at the next of these times alone."
        checked={draft.isRecurring}
        onChange={({ currentTarget }) => set({ isRecurring: currentTarget.checked })}
      />
    </>
  )
}
