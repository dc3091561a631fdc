import { Anchor, Table, Text } from '@mantine/core'
import { useAddress } from 'agent-platform/console'
import type { Task } from 'agent-platform-client'
import dayjs from 'dayjs'
import { Link } from 'wouter'
import type { Scale, TasksOfDays } from './days.ts'
import { keyOf } from './days.ts'
import classes from './task-calendar.module.css'

/** More of a day are shown in its week. */
const OF_A_DAY = 3

interface Props {
  readonly days: readonly dayjs.Dayjs[]
  readonly tasks: TasksOfDays
  readonly scale: Scale
  /** From 0; days of others are pale. */
  readonly month: number
}

export function CalendarGrid({ days, tasks, scale, month }: Props) {
  const { change } = useAddress()
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return (
    <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <table className={`${classes.grid} ${scale === 'week' ? classes.week : ''}`}>
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day.day()} scope="col">
                {day.format('dddd')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.valueOf()}>
              {week.map((day) => (
                <td
                  key={keyOf(day)}
                  className={`${classes.day} ${scale === 'month' && day.month() !== month ? classes.outside : ''}`}
                >
                  <time
                    dateTime={keyOf(day)}
                    className={`${classes.number} ${day.isSame(dayjs(), 'day') ? classes.today : ''}`}
                    aria-current={day.isSame(dayjs(), 'day') ? 'date' : undefined}
                  >
                    {day.date()}
                  </time>
                  <Entries
                    tasks={tasks.get(keyOf(day)) ?? []}
                    shown={scale === 'week' ? 100 : OF_A_DAY}
                    onMore={() => change({ scale: 'week', at: keyOf(day) })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Table.ScrollContainer>
  )
}

function Entries(props: { tasks: readonly Task[]; shown: number; onMore: () => void }) {
  const { tasks, shown, onMore } = props
  return (
    <>
      {tasks.slice(0, shown).map(({ id, title, nextRunAt }) => (
        <Link key={id} href={`/tasks/${id}`} className={classes.entry} title={title}>
          {dayjs(nextRunAt).format('HH:mm')} {title}
        </Link>
      ))}
      {tasks.length > shown &&
        (shown === OF_A_DAY ? (
          <Anchor component="button" type="button" size="xs" mt={4} onClick={onMore}>
            {tasks.length - shown} more
          </Anchor>
        ) : (
          <Text size="xs" mt={4}>
            and {tasks.length - shown} more
          </Text>
        ))}
    </>
  )
}
