import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { openSocket } from './sockets.ts'
import { stage } from './stage.ts'

const packs = ['letters', 'everything']
const room = '/v1/everything/rooms/7'

t.test('a socket is guarded like a route', async (t) => {
  const { as, admin, url } = await stage(t, packs)
  const refused = async (path: string, key: string | undefined, status: number, type: string) => {
    const { status: answered, text } = await openSocket(t, url + path, key)
    t.equal(answered, status)
    t.match(JSON.parse(text), { error: { type, requestId: /^req_/ } })
  }
  const ada = await as('ada').key()
  await refused(room, undefined, 401, 'authentication_error')
  await refused(room, `${ada.slice(0, -1)}_`, 401, 'authentication_error')
  await refused('/v1/everything/nothing', ada, 404, 'not_found')
  await refused('/everything/private', ada, 403, 'permission_error')
  const narrow = await as('eve', { scopes: ['letters:read'] }).key()
  await refused(room, narrow, 403, 'permission_error')
  t.match(await openSocket(t, `${url}/everything/private`, await admin.key()), {
    status: 101,
    text: /in private/
  })
  const { status, text, socket } = await openSocket(t, `${url}${room}?colour=red`, ada)
  t.equal(status, 101)
  t.equal(text, 'ada in 7\n')
  socket.write('hello')
  t.equal(String((await once(socket, 'data'))[0]), 'hello')
})

t.test('a socket outlives swaps, and is closed when its pack goes', async (t) => {
  const { as, admin, url, platform } = await stage(t, packs)
  const { socket } = await openSocket(t, url + room, await as('ada').key())
  t.match(await admin.put('/v1/packs/tally', { enabled: true }), { status: 200 })
  t.match(await admin.post('/v1/packs/everything/reload'), { status: 200 })
  socket.write('still here')
  t.equal(String((await once(socket, 'data'))[0]), 'still here')
  t.equal(platform.packs.readings().streams, 1)
  const rest = text(socket)
  t.match(await admin.put('/v1/packs/everything', { enabled: false }), { status: 200 })
  t.equal(await rest.catch(() => ''), '')
  t.equal(platform.packs.readings().streams, 0)
  t.equal((await openSocket(t, url + room, await as('ada').key())).status, 404)
})

t.test('a socket is closed when its key is revoked, and no other', async (t) => {
  const { as, url } = await stage(t, packs)
  const ada = as('ada')
  const { body } = await ada.post('/v1/auth/api-keys', { name: 'for the socket' })
  const revoked = await openSocket(t, url + room, body.data.key)
  const kept = await openSocket(t, url + room, await ada.key())
  const closed = once(revoked.socket, 'close')
  t.match(await ada.delete(`/v1/auth/api-keys/${body.data.id}`), { status: 200 })
  await closed
  kept.socket.write('still here')
  t.equal(String((await once(kept.socket, 'data'))[0]), 'still here')
  t.equal((await openSocket(t, url + room, body.data.key)).status, 401)
})

t.test('a socket is closed when the process leaves', async (t) => {
  const { as, url, close } = await stage(t, packs)
  const { socket } = await openSocket(t, url + room, await as('ada').key())
  const closed = once(socket, 'close')
  await close()
  await closed
  t.ok(socket.destroyed)
})
