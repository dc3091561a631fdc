import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { gapless, listen } from './events.ts'
import { fixtures, lantern, stage, workshop } from './stage.ts'

const CONNECTIONS = 50
const CHANGES = 20
/** Between two requests of one connection, so that this process, which is also the caller, gets to the changes. */
const PAUSE_MS = 10

t.test('packs change under load: no request fails, no stream has a gap', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': lantern('0') })
  const { admin, as, url, platform } = await stage(t, ['letters', 'broadcast', 'lantern'], {
    folders: [fixtures, folder]
  })
  const ada = as('ada')
  const key = await ada.key()
  const { id } = (await ada.post('/v1/broadcast', {})).body.data
  const heard = await Promise.all(
    Array.from({ length: 5 }, () => listen(t, `${url}/v1/broadcast/${id}/events`, key))
  )

  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  t.teardown(() => agent.destroy())
  const answered = new Map<number, number>()
  const ports = new Set<number | undefined>()
  let done = false
  async function ask(path: string) {
    const asked = request(`${url}${path}`, { agent, headers: { authorization: `Bearer ${key}` } }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    ports.add(response.socket.localPort)
    for await (const _ of response);
    answered.set(response.statusCode ?? 0, (answered.get(response.statusCode ?? 0) ?? 0) + 1)
  }
  const asking = Array.from({ length: CONNECTIONS }, async (_, n) => {
    while (!done) {
      await ask(n % 2 ? '/v1/lantern' : '/v1/auth/me')
      await delay(PAUSE_MS)
    }
  })
  let said = 0
  const speaking = (async () => {
    while (!done) {
      said++
      await ada.post(`/v1/broadcast/${id}/say`, { text: `${said}` })
    }
  })()

  const outcomes: number[] = []
  for (let n = 1; n <= CHANGES; n++) {
    const fails = n % 4 === 0
    const text = fails ? 'throw new Error("not this one")' : lantern(String(n))
    if (n % 2 === 0) await write('lantern', { 'pack.ts': text })
    const { status } =
      n % 2 === 0
        ? await admin.post('/v1/packs/lantern/reload')
        : await admin.put('/v1/packs/tally', { enabled: n % 4 === 1 })
    outcomes.push(status)
    if (status === 200 && n % 2 === 0) t.match(await ada.get('/v1/lantern'), { body: { data: String(n) } })
  }
  done = true
  await Promise.all([...asking, speaking])
  await ada.post(`/v1/broadcast/${id}/end`)

  t.same(outcomes.filter((status) => status === 409).length, CHANGES / 4, 'every fourth one fails')
  t.same(outcomes.filter((status) => status === 200).length, (CHANGES * 3) / 4)
  t.same([...answered.keys()], [200], `${answered.get(200)} requests`)
  t.ok((answered.get(200) ?? 0) > CONNECTIONS * 5)
  t.equal(ports.size, CONNECTIONS, 'no connection was closed')
  for (const { all, ended } of heard) {
    await ended
    t.equal(all.length, said + 2)
    t.ok(gapless(all))
  }
  t.equal(platform.packs.readings().inFlight, 0)
})
