import { Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core'
import type { Heartbeat } from './queries.ts'

type Hours = Heartbeat['activeHours']

const days = [
  { value: 'mon', label: 'Monday' },
  { value: 'tue', label: 'Tuesday' },
  { value: 'wed', label: 'Wednesday' },
  { value: 'thu', label: 'Thursday' },
  { value: 'fri', label: 'Friday' },
  { value: 'sat', label: 'Saturday' },
  { value: 'sun', label: 'Sunday' }
] as const
type Day = (typeof days)[number]['value']

/** When an agent may act, by the clock of the time zone. */
export function ActiveHoursFields({ value, onChange }: { value: Hours; onChange: (value: Hours) => void }) {
  return (
    <Stack gap="sm">
      <Switch
        label="At some hours alone"
        checked={value !== null}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? { from: '08:00', to: '20:00', days: null } : null)
        }
      />
      {value && (
        <>
          <Group grow>
            <TextInput
              label="From"
              type="time"
              value={value.from}
              onChange={({ currentTarget }) => onChange({ ...value, from: currentTarget.value })}
              required
            />
            <TextInput
              label="To, not included"
              type="time"
              value={value.to === '24:00' ? '00:00' : value.to}
              onChange={({ currentTarget }) => {
                // Midnight at the end of a day.
                const to = currentTarget.value === '00:00' ? '24:00' : currentTarget.value
                onChange({ ...value, to })
              }}
              required
            />
          </Group>
          <Checkbox.Group
            label="Days on which they begin"
            description="None chosen: each"
            value={[...(value.days ?? [])]}
            onChange={(chosen) => onChange({ ...value, days: chosen.length > 0 ? (chosen as Day[]) : null })}
          >
            <Group gap="md" mt="xs">
              {days.map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
        </>
      )}
    </Stack>
  )
}
