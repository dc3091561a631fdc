import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { fixtures, hear, stage, until, workshop } from './stage.ts'

interface Begun {
  readonly id: string
  readonly version: string
  readonly step: number
  readonly handOver: AbortSignal
  go(): void
}
interface Over {
  readonly id: string
  readonly outcome: string
}

async function errand(t: Parameters<typeof workshop>[0]) {
  const { folder, write } = await workshop(t)
  await cp(join(fixtures, 'errand'), join(folder, 'errand'), { recursive: true })
  const begun = hear<Begun>(t, 'errand.begun')
  const over = hear<Over>(t, 'errand.over')
  const booted = await stage(t, ['errand'], { folders: [folder] })
  const upgrade = async (version: string) => {
    await write('errand', { 'version.ts': `export const version = '${version}'` })
    return booted.admin.post('/v1/packs/errand/reload')
  }
  return { ...booted, begun, over, upgrade }
}

t.test('a step runs whole in its version, and the next one in the version then current', async (t) => {
  const { as, begun, over, upgrade } = await errand(t)
  const ada = as('ada')
  const { body } = await ada.post('/v1/errand', { length: 3 })
  const first = await begun.next()
  t.match(await upgrade('second'), { status: 200 })
  first.go()
  const second = await begun.next()
  t.match(await upgrade('third'), { status: 200 })
  second.go()
  const third = await begun.next()
  third.go()
  t.same(await over.next(), { id: body.data.id, outcome: 'done' })
  t.same(
    begun.told.map(({ version, step }) => [version, step]),
    [
      ['first', 0],
      ['second', 1],
      ['third', 2]
    ]
  )
  t.same((await ada.get(`/v1/errand/${body.data.id}`)).body.data.steps, ['first', 'second', 'third'])
})

t.test('a pack that goes between two steps ends the work with a reason; the record keeps it', async (t) => {
  const { as, admin, begun, over } = await errand(t)
  const ada = as('ada')
  const { body } = await ada.post('/v1/errand', { length: 2 })
  const { go } = await begun.next()
  await admin.put('/v1/packs/errand', { enabled: false })
  go()
  t.same(await over.next(), { id: body.data.id, outcome: 'pack_off' })
  await admin.put('/v1/packs/errand', { enabled: true })
  t.same((await ada.get(`/v1/errand/${body.data.id}`)).body.data.steps, ['first'])
})

t.test('a process that leaves says so to the step, waits for it and begins no other', async (t) => {
  const { as, begun, over, close } = await errand(t)
  const { body } = await as('ada').post('/v1/errand', { length: 2 })
  const { go, handOver } = await begun.next()
  t.notOk(handOver.aborted)
  const closing = close()
  await until(async () => handOver.aborted, Boolean)
  go()
  t.same(await over.next(), { id: body.data.id, outcome: 'handed over' })
  await closing
  t.equal(begun.told.length, 1)
})
