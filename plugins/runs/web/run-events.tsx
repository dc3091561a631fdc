import { Box, Group, Select, Stack, Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { CodeBlock } from 'agent-platform/console'
import { useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { inWords } from './durations.ts'
import type { LiveState } from './live-run.ts'
import classes from './run-events.module.css'

const ROW = 30
/** Of the JSON, in a row. */
const SHOWN = 240

/** Each event as the stream has it; those in sight alone are laid out. */
export function RunEvents({ view }: { view: LiveState }) {
  const { events, last } = view
  const [search, setSearch] = useSearchParams()
  const type = search.get('type')
  const chosen = Number(search.get('event') ?? -1)
  const box = useRef<HTMLElement>(null)
  // The list grows in place: `last` says that it has grown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const types = useMemo(() => [...new Set(events.map((event) => event.type as string))], [events, last])
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const shown = useMemo(
    () => (type ? events.filter((event) => event.type === type) : events),
    [events, last, type]
  )
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12
  })
  const set = (name: string, value: string | null) =>
    setSearch(
      (before) => {
        if (value === null) before.delete(name)
        else before.set(name, value)
        return before
      },
      { replace: true }
    )
  const event = events[chosen]
  const firstAt = Date.parse(events[0]?.at ?? '')
  const sinceFirst = (at: string | undefined) => {
    const ms = Date.parse(at ?? '') - firstAt
    return Number.isNaN(ms) ? '' : `+${inWords(Math.max(0, ms))}`
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Select
          label="Type"
          placeholder="All"
          data={types}
          value={type}
          onChange={(next) => set('type', next)}
          clearable
          w={220}
        />
        <Text size="sm" c="dimmed">
          {shown.length.toLocaleString('en')} events
        </Text>
      </Group>
      <Box component="section" className={classes.events} ref={box} tabIndex={0} aria-label="Events">
        <Box h={rows.getTotalSize()} pos="relative">
          {rows.getVirtualItems().map(({ index, start }) => {
            const event = shown[index]
            if (!event) return null
            const { type, runId: _, seq, at, ...fields } = event
            return (
              <button
                key={seq}
                type="button"
                className={classes.event}
                style={{ transform: `translateY(${start}px)`, height: ROW }}
                aria-pressed={seq === chosen}
                onClick={() => set('event', seq === chosen ? null : String(seq))}
              >
                <span className={classes.seq}>{seq}</span>
                <span className={classes.at}>{sinceFirst(at)}</span>
                <span className={classes.type}>{type}</span>
                <span className={classes.fields}>{JSON.stringify(fields).slice(0, SHOWN)}</span>
              </button>
            )
          })}
        </Box>
      </Box>
      {event && <CodeBlock value={event} label={`Event ${chosen}`} />}
    </Stack>
  )
}
