// tier: whole
import t from 'tap'
import { messagesOf, textOf, typesOf } from '../../plugins/runs/test/testbed.ts'
import { until } from '../packs/stage.ts'
import { faultsOf, statusesOf } from './account.ts'
import { read } from './reader.ts'
import type { Begun } from './town.ts'
import { town } from './town.ts'

const place = await town(t)

t.test('what becomes of a step that was cut by kill -9', async (t) => {
  const victim = await place.spawn()
  const begin = (fields: object) => place.begin(victim, place.story(fields), {}, { elsewhere: place })
  const same = await begin({ words: 60, pace: 10 })
  const other = await begin({ words: 60, pace: 10, wander: 5 })
  const atOnce = await begin({ words: 60, pace: 10, wander: 0 })
  const cancelled = await begin({ words: 500, pace: 10 })
  place.tools.pace.takes = 60_000
  const calling = await begin({ words: 1, calls: [['once', 'again']] })
  const repeating = [same, other, atOnce, cancelled]
  const seen = ({ events }: Begun['reader']) => textOf(events).split(' ').length
  for (const { reader } of repeating) await reader.until(() => seen(reader) > 20)
  await place.tools.reached(calling.id, 2)
  await victim.kill()
  place.tools.pace.takes = 0

  t.test('cancelled while it repeats itself, it keeps what was seen', async (t) => {
    const asks = () => place.model.of(cancelled.story.name).length
    await until(
      async () => asks(),
      (count) => count === 2
    )
    const { body } = await place.client.post(`/v1/agents/runs/${cancelled.id}/cancel`)
    const events = await cancelled.reader.over
    t.equal(events.at(-1)?.type, 'cancelled')
    t.equal(body.data.content, textOf(events))
    t.match(await messagesOf(place.client, body.data.sessionId), [
      { role: 'user' },
      { content: textOf(events) }
    ])
  })

  t.test('the same text again is not told again', async (t) => {
    t.same(await faultsOf(place, same), [])
    t.same(statusesOf(same.reader.events), ['running', 'resumed'])
    t.match(
      same.reader.events.find(({ status }) => status === 'resumed'),
      { attempt: 2 }
    )
  })

  t.test('another text takes the place of what was seen', async (t) => {
    for (const run of [other, atOnce]) {
      t.same(await faultsOf(place, run), [])
      t.same(statusesOf(run.reader.events), ['running', 'resumed', 'restarted'])
      const { events } = run.reader
      const at = events.findIndex(({ status }) => status === 'restarted')
      t.match(events[at], { step: 1, attempt: 2, supersedes: { from: 3 } })
      const { to } = events[at]?.supersedes ?? { to: -1 }
      t.ok(to >= 3 && to < at)
      t.equal(textOf(events.slice(at)), events.at(-1)?.content, 'the new text is told whole')
    }
  })

  t.test('a call is made again, with its id, or its outcome is unknown', async (t) => {
    t.same(await faultsOf(place, calling), [])
    const { events } = calling.reader
    const idOf = (tool: string) => events.find(({ toolName }) => toolName === tool)?.callId
    t.same(place.tools.of(calling.id).toSorted(), [idOf('once'), idOf('again'), idOf('again')].toSorted())
    t.match(
      events
        .filter(({ type }) => type === 'toolEnd')
        .toSorted((a, b) => Number(a.isError) - Number(b.isError)),
      [
        { toolName: 'again', isError: false },
        { toolName: 'once', isError: true, output: /outcome of this call is unknown/ }
      ]
    )
    const [, told] = place.model.of(calling.story.name)
    t.match(told?.results, [/unknown/, /done/])
  })

  t.test('a reader that comes back after its end gets the rest', async (t) => {
    for (const { id, reader } of repeating) {
      const late = await read(t, place, { runId: id })
      t.same(typesOf(await late.over), typesOf(reader.events))
      t.same(late.lines, reader.lines)
    }
  })
})
