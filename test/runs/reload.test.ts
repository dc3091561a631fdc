import t from 'tap'
import { until } from '../packs/stage.ts'
import { faultsOf, statusesOf } from './account.ts'
import type { Begun, Town } from './town.ts'
import { town } from './town.ts'

const place = await town(t)
const { admin } = place.home
const calls = [['again'], ['once']]

const begin = (count: number): Promise<Begun[]> =>
  Promise.all(
    Array.from({ length: count }, (_, turn) =>
      place.begin(place, place.story({ calls, words: 20 + 5 * turn, pace: 10 }), {}, { away: [404, 503] })
    )
  )

const change = (pack: string, body: object) => admin.put(`/v1/packs/${pack}`, body)
const spoken = ({ reader }: Begun, step: number) =>
  reader.until((event) => event.type === 'token' && (event.content ?? '').startsWith(`${step}.`))

/** What is wrong with runs, none of whose steps should have been cut. */
async function faultsOfWhole(place: Town, runs: readonly Begun[]) {
  const faults: string[] = []
  for (const run of runs) {
    faults.push(...(await faultsOf(place, run)))
    const asks = place.model.of(run.story.name).length
    if (asks !== 3) faults.push(`${run.story.name}: ${asks} requests`)
    const hits = place.tools.of(run.id).length
    if (hits !== 2) faults.push(`${run.story.name}: ${hits} calls`)
  }
  return faults
}

t.test('packs are reloaded while runs go on', async (t) => {
  const runs = await begin(4)
  for (const [step, pack] of [
    [1, 'runs'],
    [2, 'models'],
    [3, 'again']
  ] as const) {
    await spoken(runs[0] as Begun, step)
    t.match(await admin.post(`/v1/packs/${pack}/reload`), { status: 200 })
  }
  t.same(await faultsOfWhole(place, runs), [])
  for (const { reader } of runs) {
    t.equal(reader.resumed, 0, 'their readers noticed nothing')
    t.same(statusesOf(reader.events), ['running'])
  }
})

t.test('settings are changed while runs go on', async (t) => {
  const runs = await begin(2)
  await spoken(runs[0] as Begun, 1)
  t.match(await change('runs', { settings: { maxSteps: 3 } }), { status: 200 })
  await spoken(runs[0] as Begun, 2)
  t.match(await change('models', { settings: { openaiCompatibleModel: 'story' } }), { status: 200 })
  t.same(await faultsOfWhole(place, runs), [])
})

t.test('runs are off for a while, and their models too', async (t) => {
  const runs = await begin(4)
  await spoken(runs[0] as Begun, 1)
  t.match(await change('runs', { enabled: false }), { status: 200 })
  t.match(await place.client.get(`/v1/agents/runs/${runs[0]?.id}`), { status: 404 })
  t.match(await change('models', { enabled: false }), { status: 200 })
  t.match(await change('models', { enabled: true }), { status: 200 })
  t.match(await change('runs', { enabled: true }), { status: 200 })
  t.same(await faultsOfWhole(place, runs), [])
})

t.test('runs are off until nothing of them is left in memory', async (t) => {
  const [run] = (await begin(1)) as [Begun]
  await spoken(run, 1)
  t.match(await change('runs', { enabled: false }), { status: 200 })
  const owner = () => place.home.platform.knex('runs.run').where({ id: run.id }).first('status', 'instance')
  t.match(await until(owner, ({ instance }) => instance === null), { status: 'running' })
  t.match(await change('runs', { enabled: true }), { status: 200 })
  t.same(await faultsOfWhole(place, [run]), [])
  t.match(
    run.reader.events.find(({ status }) => status === 'resumed'),
    { attempt: 2 }
  )
})
