import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { ChangeRecord } from '../../kernel/packs/desired/records.ts'
import { stage, until } from './stage.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const CHANGES = 40

t.test('nothing is left of a generation that was replaced', async (t) => {
  const packs = ['letters', 'tally', 'mirror', 'stamp', 'seal', 'everything', 'broadcast', 'cellar', 'errand']
  const { admin, as, platform, settled } = await stage(t, packs)
  const generations: WeakRef<object>[] = []
  async function change(n: number) {
    generations.push(new WeakRef(platform.server.current()))
    const { status } = await admin.put('/v1/packs/everything', { settings: { greeting: `hello ${n}` } })
    if (status !== 200) throw new Error(`${status}`)
    await as('ada').get('/v1/everything')
    await as('ada').post('/v1/letters', { text: `${n}` })
  }
  const settle = async () => {
    await settled()
    await until(
      async () => (await admin.get('/v1/packs/changes?limit=100')).body.data as ChangeRecord[],
      (records) => records.every(({ drained, after }) => drained !== null && after !== null)
    )
  }
  const handles = () => {
    const kinds = process
      .getActiveResourcesInfo()
      .filter((kind) => kind !== 'Immediate' && !/TCP|Pipe/.test(kind))
    return kinds.length
  }

  for (let n = 0; n < 5; n++) await change(n)
  await settle()
  const handlesBefore = handles()
  for (let n = 5; n < CHANGES; n++) await change(n)
  await settle()
  const alive = await until(
    async () => {
      collect()
      return generations.filter((generation) => generation.deref() !== undefined).length
    },
    (count) => count <= 1
  )
  t.equal(generations.length, CHANGES)
  t.ok(alive <= 1, `${alive} of ${CHANGES} generations are still there`)
  t.ok(handles() <= handlesBefore + 2, `${handlesBefore} handles before, ${handles()} after`)
  t.equal(platform.packs.readings().inFlight, 0)
})
