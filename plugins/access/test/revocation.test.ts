import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { KEYS, keyOf, ME } from './testbed.ts'

t.test('revocation', async (t) => {
  const platform = await boot(t, 'access')
  const { as } = platform
  const ada = as('ada')

  t.test('works at once, and ends what was made with the key', async (t) => {
    const parent = await keyOf(platform, ada)
    const child = await keyOf(platform, parent.client)
    const grandchild = await keyOf(platform, child.client)
    const bystander = await keyOf(platform, ada)
    for (const { client } of [parent, child, grandchild, bystander])
      t.match(await client.get(ME), { status: 200 })
    const reply = await ada.delete(`${KEYS}/${parent.id}`)
    t.equal(reply.status, 200)
    t.strictSame(reply.body, { data: { id: parent.id, deleted: true } })
    for (const { client } of [parent, child, grandchild]) t.match(await client.get(ME), { status: 401 })
    t.match(await bystander.client.get(ME), { status: 200 })
    const { body } = await ada.get(`${KEYS}?limit=100`)
    const revoked = body.data.filter((key: { revokedAt: string | null }) => key.revokedAt !== null)
    t.strictSame(
      revoked.map(({ id }: { id: string }) => id).sort(),
      [parent.id, child.id, grandchild.id].sort()
    )
    t.match(await ada.delete(`${KEYS}/${parent.id}`), { status: 404 }, 'it is gone')
  })

  t.test('a key may end itself', async (t) => {
    const own = await keyOf(platform, ada)
    t.match(await own.client.delete(`${KEYS}/${own.id}`), { status: 200 })
    t.match(await own.client.get(ME), { status: 401 })
  })

  t.test('is heard by other instances', async (t) => {
    const beside = await boot(t, 'access', { beside: platform })
    const key = await keyOf(platform, ada)
    const there = createClient(beside.url, 'ada', key.key)
    t.match(await there.get(ME), { status: 200 })
    const heard = new Promise<void>((resolve) => {
      beside.platform.credentials.onRevoked((ids) => ids.includes(key.id) && resolve())
    })
    await ada.delete(`${KEYS}/${key.id}`)
    await heard
    t.match(await there.get(ME), { status: 401 })
  })

  t.test('another one of someone else is 403, an unknown one 404', async (t) => {
    const key = await keyOf(platform, ada)
    t.match(await as('eve').delete(`${KEYS}/${key.id}`), {
      status: 403,
      body: { error: { type: 'permission_error' } }
    })
    t.match(await as('ada', { project: 'elsewhere' }).delete(`${KEYS}/${key.id}`), { status: 403 })
    t.match(await key.client.get(ME), { status: 200 })
    for (const id of ['key_nope', 'goal_01k4qz0000e0080000000000ab', 'key_01k4qz0000e0080000000000ab'])
      t.match(await ada.delete(`${KEYS}/${id}`), { status: 404, body: { error: { type: 'not_found' } } })
    t.match(await ada.delete(`${KEYS}/${key.id}?force=1`), {
      status: 400,
      body: { error: { param: 'force' } }
    })
  })
})
