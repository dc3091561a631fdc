import { Anchor, Stack, Text, Title } from '@mantine/core'
import dayjs from 'dayjs'
import { Link } from 'wouter'
import type { TasksOfDays } from './days.ts'
import { keyOf } from './days.ts'

/** The days on which something is scheduled, one below the other: the calendar of a phone. */
export function AgendaDays({ days, tasks }: { days: readonly dayjs.Dayjs[]; tasks: TasksOfDays }) {
  const busy = days.filter((day) => tasks.has(keyOf(day)))
  if (busy.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing is scheduled on these days.
      </Text>
    )
  return (
    <Stack gap="lg">
      {busy.map((day) => (
        <Stack key={keyOf(day)} gap={6}>
          <Title order={3} size="h6">
            {day.format('dddd, D MMMM')}
          </Title>
          {tasks.get(keyOf(day))?.map(({ id, title, nextRunAt }) => (
            <Anchor key={id} component={Link} href={`/tasks/${id}`} size="sm" c="inherit" lineClamp={2}>
              {dayjs(nextRunAt).format('HH:mm')} {title}
            </Anchor>
          ))}
        </Stack>
      ))}
    </Stack>
  )
}
