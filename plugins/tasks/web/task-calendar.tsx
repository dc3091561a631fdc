import { ActionIcon, Alert, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Loaded, useAddress } from 'agent-platform/console'
import type { Task } from 'agent-platform-client'
import dayjs from 'dayjs'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { AgendaDays } from './agenda-days.tsx'
import { CalendarGrid } from './calendar-grid.tsx'
import type { Scale, TasksOfDays } from './days.ts'
import { keyOf } from './days.ts'
import type { TaskFilter } from './queries.ts'
import { CALENDAR_TASKS, upcomingQuery } from './queries.ts'

/** The next time of each task, on a month or a week; which one stands in the address. */
export function TaskCalendar({ filter }: { filter: TaskFilter }) {
  const { search, change } = useAddress()
  const upcoming = useQuery(upcomingQuery(filter))
  const isPhone = useMediaQuery('(max-width: 48em)')
  const scale: Scale = search.get('scale') === 'week' ? 'week' : 'month'
  const given = dayjs(search.get('at') ?? undefined)
  const at = given.isValid() ? given : dayjs()
  const first = mondayOf(scale === 'month' ? at.startOf('month') : at)
  const last = scale === 'month' ? mondayOf(at.endOf('month')).add(6, 'day') : first.add(6, 'day')
  const days = Array.from({ length: last.diff(first, 'day') + 1 }, (_, index) => first.add(index, 'day'))
  const move = (by: number) => change({ at: keyOf(at.add(by, scale)) })
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <ActionIcon variant="default" onClick={() => move(-1)} aria-label={`The ${scale} before`}>
            <ChevronLeft size={16} />
          </ActionIcon>
          <ActionIcon variant="default" onClick={() => move(1)} aria-label={`The next ${scale}`}>
            <ChevronRight size={16} />
          </ActionIcon>
          <Button variant="default" size="compact-md" onClick={() => change({ at: null })}>
            Today
          </Button>
          <Title order={2} size="h5" ml="xs" aria-live="polite">
            {scale === 'month'
              ? at.format('MMMM YYYY')
              : `${first.format('D MMM')} – ${last.format('D MMM YYYY')}`}
          </Title>
        </Group>
        <SegmentedControl
          aria-label="Scale"
          size="xs"
          data={[
            { value: 'month', label: 'Month' },
            { value: 'week', label: 'Week' }
          ]}
          value={scale}
          onChange={(next) => change({ scale: next === 'week' ? next : null })}
        />
      </Group>
      <Loaded query={upcoming}>
        {({ tasks, isWhole }) => (
          <>
            {!isWhole && (
              <Alert variant="light" color="orange">
                There are more than {CALENDAR_TASKS.toLocaleString('en')} tasks: choose an agent or a status
                to see all of them.
              </Alert>
            )}
            {isPhone ? (
              <AgendaDays days={days} tasks={byDay(tasks)} />
            ) : (
              <CalendarGrid days={days} tasks={byDay(tasks)} scale={scale} month={at.month()} />
            )}
            <Text size="xs" c="dimmed">
              Each task stands at its next run, in your time zone.
            </Text>
          </>
        )}
      </Loaded>
    </Stack>
  )
}

const mondayOf = (day: dayjs.Dayjs) => day.subtract((day.day() + 6) % 7, 'day').startOf('day')

function byDay(tasks: readonly Task[]): TasksOfDays {
  return Map.groupBy(tasks, ({ nextRunAt }) => keyOf(dayjs(nextRunAt)))
}
