import { Text, Tooltip } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useState } from 'react'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60]
] as const

function wordsOf(at: number, now: number): string {
  const seconds = (at - now) / 1_000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  return relative.format(Math.round(seconds / size), unit)
}

/** A time (ISO 8601) as people say it; the exact one when pointed at. */
export function TimeAgo({ at }: { at: string | null | undefined }) {
  const [, draw] = useState(0)
  useInterval(() => draw((times) => times + 1), 30_000, { autoInvoke: true })
  if (!at) return <Text span>–</Text>
  return (
    <Tooltip label={new Date(at).toLocaleString()}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {wordsOf(Date.parse(at), Date.now())}
      </time>
    </Tooltip>
  )
}
