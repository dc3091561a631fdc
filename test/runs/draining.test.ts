// tier: whole
// servers: PostgreSQL and Redis
import { once } from 'node:events'
import t from 'tap'
import { faultsOf, statusesOf } from './account.ts'
import { town } from './town.ts'

t.test('SIGTERM: what was begun there goes on here, and the process exits with 0', async (t) => {
  const place = await town(t)
  const leaving = await place.serve()
  const stories = [
    place.story({ words: 100, pace: 10 }),
    place.story({ words: 100, pace: 10, wander: 3 }),
    place.story({ words: 100, pace: 10 })
  ]
  const begun = await Promise.all(
    stories.map((story) => place.begin(leaving, story, {}, { elsewhere: place }))
  )
  for (const { reader } of begun)
    await reader.until(({ type, content }) => type === 'token' && /1\.[5-9]/.test(content ?? ''))
  const exited = once(leaving.child, 'exit')
  leaving.child.kill('SIGTERM')
  t.same(await exited, [0, null])
  for (const run of begun) {
    t.same(await faultsOf(place, run), [], run.story.name)
    t.equal(run.reader.resumed, 1, 'its reader went along')
    t.equal(place.model.of(run.story.name).length, 2, 'the step that was cut was asked again')
    t.same(
      statusesOf(run.reader.events),
      run.story.wander === undefined ? ['running', 'resumed'] : ['running', 'resumed', 'restarted']
    )
  }
})

t.test('a call of a tool that is under way when its instance leaves', async (t) => {
  const place = await town(t)
  const leaving = await place.beside()
  place.tools.pace.takes = 300
  const calls = [['again', 'once'], ['once']]
  const run = await place.begin(leaving, place.story({ calls }), {}, { elsewhere: place })
  await place.tools.reached(run.id, 2)
  await leaving.close()
  t.same(await faultsOf(place, run), [])
  const ends = run.reader.events.filter(({ type }) => type === 'toolEnd')
  t.same(
    ends.map(({ isError }) => isError),
    [false, false, false],
    'no outcome is lost'
  )
  t.equal(place.tools.of(run.id).length, 3, 'none was made again')
  t.equal(place.model.of(run.story.name).length, 3, 'and nothing was asked twice')
})
