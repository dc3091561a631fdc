import t from 'tap'
import { boot } from '../../../test/boot.ts'

t.test('what happens to keys is told, without the keys', async (t) => {
  const { as, platform } = await boot(t, 'access')
  const ada = as('ada')
  const made = await ada.post('/v1/auth/api-keys', { name: 'robot', scopes: ['agents:read'] })
  const { id, key, prefix } = made.body.data
  await ada.delete(`/v1/auth/api-keys/${id}`)
  await ada.delete(`/v1/auth/api-keys/${id}`)

  const facts = await platform.knex('kernel.fact').where({ subject: id }).orderBy('position')
  t.match(facts, [
    {
      name: 'access.key_created',
      owner: 'ada',
      actor: 'ada',
      data: { id, name: 'robot', prefix, scopes: ['agents:read'] }
    },
    { name: 'access.key_revoked', data: { ids: [id] } }
  ])
  t.equal(facts.length, 2, 'revoking it once more is no fact')
  t.notOk(JSON.stringify(facts).includes(key))
})
