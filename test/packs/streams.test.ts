import t from 'tap'
import { gapless, listen } from './events.ts'
import { stage } from './stage.ts'

const packs = ['broadcast', 'letters']

async function studio(t: Parameters<typeof stage>[0]) {
  const booted = await stage(t, packs)
  const ada = booted.as('ada')
  const { id } = (await ada.post('/v1/broadcast', {})).body.data
  const events = `${booted.url}/v1/broadcast/${id}/events`
  const say = async (text: string) =>
    (await ada.post(`/v1/broadcast/${id}/say`, { text })).body.data.seq as number
  return { ...booted, ada, id, events, say }
}

t.test('a stream outlives every swap, and is written and read without a gap', async (t) => {
  const { ada, admin, id, events, say, platform } = await studio(t)
  const heard = await listen(t, events, await ada.key())
  for (let n = 0; n < 8; n++) {
    await say(`before ${n}`)
    t.match(await admin.post(`/v1/packs/${packs[n % 2]}/reload`), { status: 200 })
    await say(`after ${n}`)
  }
  t.equal(platform.packs.readings().streams, 1, 'one connection for all generations')
  t.equal(platform.packs.readings().inFlight, 0, 'no generation waits for it')
  await ada.post(`/v1/broadcast/${id}/end`)
  await heard.ended
  t.equal(heard.all.length, 18)
  t.ok(gapless(heard.all))
  t.equal(heard.all.at(-1)?.type, 'completed')
  const later = await listen(t, events, await ada.key(), 9)
  await later.ended
  t.same(later.all, heard.all.slice(10), 'and resumed')
})

t.test('revoking its key closes a stream, disabling its pack closes all of them', async (t) => {
  const { ada, admin, as, events, say } = await studio(t)
  const { key, id } = (await ada.post('/v1/auth/api-keys', { name: 'for the stream' })).body.data
  const revoked = await listen(t, events, key)
  const kept = await listen(t, events, await ada.key())
  await Promise.all([revoked.reached(0), kept.reached(0)])
  t.match(await ada.delete(`/v1/auth/api-keys/${id}`), { status: 200 })
  await revoked.ended
  await kept.reached(await say('still here'))
  t.same(
    kept.all.map(({ seq }) => seq),
    [0, 1]
  )
  t.same(
    revoked.all.map(({ seq }) => seq),
    [0]
  )

  t.match(await admin.put('/v1/packs/letters', { enabled: false }), { status: 200 })
  await kept.reached(await say('another pack went'))
  t.equal(kept.all.length, 3)
  t.match(await admin.put('/v1/packs/broadcast', { enabled: false }), { status: 200 })
  await kept.ended
  t.match(await admin.put('/v1/packs/broadcast', { enabled: true }), { status: 200 })
  const again = await listen(t, events, await as('ada').key())
  await again.reached(2)
  t.equal(again.all.length, 3, 'the record stays')
})

t.test('revoking a key on one instance closes its streams on the others', async (t) => {
  const first = await studio(t)
  const second = await stage(t, packs, { beside: first })
  const { key, id } = (await first.ada.post('/v1/auth/api-keys', { name: 'elsewhere' })).body.data
  const heard = await listen(t, first.events.replace(first.url, second.url), key)
  await first.say('hello')
  await heard.reached(1)
  t.same(
    heard.all.map(({ type }) => type),
    ['began', 'said'],
    'read on the other instance'
  )
  await first.ada.delete(`/v1/auth/api-keys/${id}`)
  await heard.ended
  t.equal(heard.all.length, 2, 'closed there, by no event of the stream')
})

t.test('a process that leaves lets its streams go; another one goes on with them', async (t) => {
  const first = await studio(t)
  const second = await stage(t, packs, { beside: first })
  const key = await first.ada.key()
  const heard = await listen(t, first.events, key)
  const last = await first.say('before')
  await heard.reached(last)
  await first.close()
  await heard.ended
  const resumed = await listen(t, first.events.replace(first.url, second.url), key, last)
  const said = await second.as('ada').post(`/v1/broadcast/${first.id}/say`, { text: 'after' })
  await resumed.reached(said.body.data.seq)
  t.ok(gapless([...heard.all, ...resumed.all]))
  t.same(
    resumed.all.map(({ type }) => type),
    ['taken_over', 'said']
  )
})
