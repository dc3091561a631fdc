import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { fixtures, hear, stage, until, workshop } from './stage.ts'

interface Told {
  readonly event: 'opened' | 'closed'
  readonly shape: number
  readonly drawn?: number
}

async function cellar(t: Parameters<typeof workshop>[0]) {
  const { folder, write } = await workshop(t)
  await cp(join(fixtures, 'cellar'), join(folder, 'cellar'), { recursive: true })
  const told = hear<Told>(t, 'cellar')
  const booted = await stage(t, ['cellar'], { folders: [folder] })
  const draw = async () => (await booted.as('ada').post('/v1/cellar', {})).body.data
  return { ...booted, write, told, draw }
}

t.test('what is shared outlives reloads and failed changes, and is closed when nobody uses it', async (t) => {
  const { admin, told, draw, write } = await cellar(t)
  t.same(await draw(), { shape: 1, drawn: 1 })
  t.match(await admin.post('/v1/packs/cellar/reload'), { status: 200 })
  t.same(await draw(), { shape: 1, drawn: 2 }, 'over a reload')
  t.match(await admin.put('/v1/packs/cellar', { settings: { note: 'damp' } }), { status: 200 })
  t.same(await draw(), { shape: 1, drawn: 3 }, 'over a change of settings')
  t.match(await admin.put('/v1/packs/cellar', { settings: { flooded: true } }), { status: 409 })
  t.same(await draw(), { shape: 1, drawn: 4 }, 'over a change that was refused')
  await write('cellar', { 'added.ts': 'export {}' })
  t.match(await admin.post('/v1/packs/cellar/reload'), { status: 200 })
  t.same(await draw(), { shape: 1, drawn: 5 }, 'over an upgrade')
  t.same(told.told, [{ event: 'opened', shape: 1 }])

  t.match(await admin.put('/v1/packs/cellar', { enabled: false }), { status: 200 })
  await until(
    async () => told.told.length,
    (count) => count > 1
  )
  t.same(told.told.slice(1), [{ event: 'closed', shape: 1, drawn: 5 }])
  t.match(await admin.put('/v1/packs/cellar', { enabled: true }), { status: 200 })
  t.same(await draw(), { shape: 1, drawn: 1 }, 'opened anew')
})

t.test('another key is another thing: the old one is closed with its last user', async (t) => {
  const { admin, told, draw, write } = await cellar(t)
  await draw()
  await write('cellar', { 'shape.ts': 'export const shape = 2' })
  t.match(await admin.post('/v1/packs/cellar/reload'), { status: 200 })
  t.same(await draw(), { shape: 2, drawn: 1 })
  await until(
    async () => told.told.length,
    (count) => count > 2
  )
  t.same(told.told, [
    { event: 'opened', shape: 1 },
    { event: 'opened', shape: 2 },
    { event: 'closed', shape: 1, drawn: 1 }
  ])
})

t.test('all is closed when the process leaves', async (t) => {
  const { told, close } = await cellar(t)
  await close()
  t.same(told.told, [
    { event: 'opened', shape: 1 },
    { event: 'closed', shape: 1, drawn: 0 }
  ])
})
