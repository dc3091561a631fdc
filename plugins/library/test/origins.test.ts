import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { uploaded } from './testbed.ts'

/** A pack that stores what it makes, and hears of what is in the library. */
const maker = {
  'makers/pack.ts': `import { Readable } from 'node:stream'
import { definePack } from 'agent-platform'
import { Type } from 'typebox'
const heard = []
export default definePack({
  name: 'makers', area: 'Test', summary: 'makes files', requires: ['files'],
  on: { 'library.created': () => async ({ subject, owner, actor, data }) => void heard.push({ subject, owner, actor, data }) },
  routes: (app, { files }) => {
    app.post('/makers', {
      schema: { tags: ['makers'], summary: 'Make', body: Type.Object({ name: Type.String(), origin: Type.Optional(Type.Any()) }), response: { 200: Type.Object({ data: Type.Unknown() }) } }
    }, async ({ principal, body }) => ({
      data: await files.store(principal, Readable.from([Buffer.from('made')]), body)
    }))
    app.get('/makers', {
      schema: { tags: ['makers'], summary: 'List what was heard', response: { 200: Type.Object({ data: Type.Unknown() }) } }
    }, async () => ({ data: heard }))
  }
})`
}

const folder = await writeFiles(await temporaryFolder(t), maker)
const packs = ['access', 'agents', 'jobs', 'outgoing', 'storage', 'files', 'extraction', 'library', 'makers']
const booted = await boot(t, { packs, folders: [folder] })
const { as, settled } = booted
const ada = as('ada')
const made = async (body: object, client = ada) => {
  const { status, body: reply } = await client.post('/v1/makers', body)
  t.equal(status, 200)
  await settled()
  return reply.data as { id: string }
}
const listed = async (query = '') => (await ada.get(`/v1/library${query}`)).body.data

t.test('what tools, runs and code made is in the library, and says what it came from', async (t) => {
  const chain = [
    { type: 'call', id: 'call_1' },
    { type: 'run', id: 'run_1' },
    { type: 'session', id: 'session_1' }
  ]
  const file = await made({ name: 'chart.txt', origin: { type: 'tool', chain } })
  const [item] = await listed('?origin=tool')
  t.match(item, { owner: 'ada', name: 'chart.txt', origin: { type: 'tool', id: 'call_1' } })
  const { body } = await ada.get(`/v1/library/${item.id}/provenance`)
  t.match(body.data, {
    itemId: item.id,
    origin: { type: 'tool', id: 'call_1' },
    chain: [{ type: 'file', id: file.id, actor: 'ada', sha256: /^[0-9a-f]{64}$/, at: /Z$/ }, ...chain]
  })
  t.equal(body.data.chain.length, 4)
  t.same(await listed('?origin=run'), [])
  const code = await made({ name: 'out.txt', origin: { type: 'code' } })
  t.match(await listed('?origin=code'), [{ origin: { type: 'code', id: code.id } }])
  t.match(await ada.get('/v1/library?origin=magic'), { status: 400, body: { error: { param: 'origin' } } })
})

t.test('what a pack keeps for itself is not', async (t) => {
  const before = (await listed()).length
  const { id } = await made({
    name: 'import.txt',
    origin: { type: 'internal', chain: [{ type: 'space', id: 's' }] }
  })
  t.equal((await listed()).length, before)
  t.equal((await ada.get(`/v1/files/${id}`)).status, 200, 'it is a file')
})

t.test('an item that appears is told of, with who stored it', async (t) => {
  const item = await uploaded(booted, ada, 'plan.txt', 'a plan')
  const { id } = await ada.agent()
  await made({ name: 'by-agent.txt' }, as(id, { type: 'agent', owner: 'ada' }))
  await settled()
  const heard = (await ada.get('/v1/makers')).body.data
  t.match(
    heard.find(({ subject }: { subject: string }) => subject === item.id),
    {
      owner: 'ada',
      actor: 'ada',
      data: { id: item.id, name: 'plan.txt', origin: { type: 'upload' }, version: 1 }
    }
  )
  t.match(
    heard.find(({ actor }: { actor: string }) => actor === id),
    { owner: 'ada', data: { name: 'by-agent.txt' } }
  )
  t.notMatch(JSON.stringify(heard), /sha256/)
})
