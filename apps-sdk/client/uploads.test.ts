import t from 'tap'
import { stage } from './testbed.ts'

const { booted, ada, agent } = await stage(t, { packs: ['files'] })

t.test('a file is uploaded as a form, once under its key, and read back', async (t) => {
  const form = new FormData()
  form.set('file', new Blob(['# Minutes']), 'minutes.md')
  const options = { body: form, idempotencyKey: 'minutes' }
  const { data } = await ada.post('/v1/files/upload', options)
  const [file] = [data].flat()
  t.match(file, { name: 'minutes.md', mediaType: 'text/markdown', size: 9 })
  t.same((await ada.post('/v1/files/upload', options)).data, data)
  t.equal((await booted.platform.knex('files.file')).length, 1)
  const path = { fileId: file?.id ?? '' }
  t.equal(String(await ada.get('/v1/files/{fileId}/content', { params: { path } })), '# Minutes')
})

t.test('an agent without an avatar says so', async (t) => {
  const read = ada.get('/v1/agents/{agentId}/avatar', { params: { path: { agentId: agent.id } } })
  await t.rejects(read, { status: 404, code: 'avatar_missing' })
})
