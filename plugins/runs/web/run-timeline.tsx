import { Button, Group, Stack, Text, Timeline } from '@mantine/core'
import { useState } from 'react'
import { inWords } from './durations.ts'
import { RunParts } from './run-parts.tsx'
import classes from './run-timeline.module.css'
import type { RunTimes, StepTimes } from './run-times.ts'
import { sumOf } from './run-times.ts'
import type { Part, RunView } from './run-view.ts'

/** So many steps are laid out at first; a run may have hundreds. */
const SHOWN = 5

/** The steps of a run: what it thought, said and called in each, and how long that took. */
export function RunTimeline({ view }: { view: RunView }) {
  const [shown, setShown] = useState(SHOWN)
  const { times } = view
  const parts = Map.groupBy(view.parts, ({ step }) => step)
  const timed = new Map(times.steps.map((it) => [it.step, it]))
  // Those of runs that are older than the times of events have none.
  const steps = [...new Set([...timed.keys(), ...parts.keys()])]
  if (steps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No step has begun yet.
      </Text>
    )
  return (
    <Stack gap="md" maw={800}>
      <Legend times={times} />
      <Timeline bulletSize={14} lineWidth={2} active={steps.length}>
        {steps.slice(0, shown).map((step) => (
          <Timeline.Item key={step} title={`Step ${step}`} styles={{ itemTitle: { fontSize: 14 } }}>
            <Step parts={parts.get(step) ?? []} times={timed.get(step)} view={view} />
          </Timeline.Item>
        ))}
      </Timeline>
      {steps.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
          Show more
        </Button>
      )}
    </Stack>
  )
}

const kinds = [
  { key: 'model', name: 'Model' },
  { key: 'calls', name: 'Tools' },
  { key: 'waited', name: 'Waited for an answer' }
] as const

/** What the colours of the bars mean, and how long each took in all. */
function Legend({ times }: { times: RunTimes }) {
  const shown = kinds.map((kind) => ({ ...kind, ms: sumOf(times, kind.key) })).filter(({ ms }) => ms > 0)
  return (
    <Group gap="lg">
      {shown.map(({ key, name, ms }) => (
        <Text key={key} size="sm">
          <span className={`${classes.key} ${classes[key]}`} aria-hidden />
          {name} {inWords(ms)}
        </Text>
      ))}
    </Group>
  )
}

function Step({
  parts,
  times,
  view
}: {
  parts: readonly Part[]
  times?: StepTimes | undefined
  view: RunView
}) {
  return (
    <>
      <Text size="xs" c="dimmed" mb={6}>
        {wordsOf(parts, times)}
      </Text>
      {times && <Bar times={times} total={view.times.total} />}
      <Stack gap="sm" miw={0} mt="xs">
        <RunParts view={{ ...view, parts }} />
      </Stack>
    </>
  )
}

/** Where in the run it lies; the words above it say the same. */
function Bar({ times, total }: { times: StepTimes; total: number }) {
  if (total === 0) return null
  const share = (ms: number) => `${(100 * ms) / total}%`
  let from = times.began
  return (
    <div className={classes.track} aria-hidden>
      {kinds.map(({ key }) => {
        const ms = times[key] ?? 0
        const left = from
        from += ms
        if (ms === 0) return null
        const style = { left: share(left), width: share(ms) }
        return <span key={key} className={`${classes.span} ${classes[key]}`} style={style} />
      })}
    </div>
  )
}

/** `Reply of the model in 1.2 s, 2 calls in 340 ms, waited 3 min 2 s`. */
function wordsOf(parts: readonly Part[], times: StepTimes | undefined): string {
  const { model, calls: ms, waited = 0 } = times ?? {}
  const calls = parts.filter(({ kind }) => kind === 'call').length
  const within = (time: number | undefined) => (time === undefined ? '' : ` in ${inWords(time)}`)
  return [
    times && model === undefined ? 'The model is replying' : `Reply of the model${within(model)}`,
    ...(calls > 0 ? [`${calls === 1 ? 'a call' : `${calls} calls`}${within(ms)}`] : []),
    ...(waited > 0 ? [`waited ${inWords(waited)}`] : [])
  ].join(', ')
}
