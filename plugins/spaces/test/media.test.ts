import { TokenVerifier } from 'livekit-server-sdk'
import sharp from 'sharp'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { join, make, makeSpace, town } from './testbed.ts'

const secret = 'a secret of the test that is long enough'
const LIVEKIT_URL = 'wss://rtc.example.com'
const env = { LIVEKIT_URL, LIVEKIT_API_KEY: 'APIkey', LIVEKIT_API_SECRET: secret }
const booted = await town(t, { env })
const { as } = booted
const [ada, eve] = [as('ada'), as('eve')]
const refuses = (status: number, code?: string) => ({ status, body: { error: { ...(code && { code }) } } })

t.test('a ticket lets one member into one room', async (t) => {
  const { id } = await makeSpace(ada)
  const guest = await join(ada, id, 'cy', { role: 'guest', name: 'Cy' })
  const path = `/v1/spaces/${id}/rtc-ticket`
  const ticket = await make(ada, path, {})
  t.match(ticket, { url: LIVEKIT_URL, room: id, identity: /^member_/, canPublish: true, expiresAt: String })
  const verifier = new TokenVerifier('APIkey', secret)
  const claims = await verifier.verify(ticket.token)
  t.match(claims, { sub: ticket.identity, video: { room: id, roomJoin: true, canPublish: true } })
  t.notOk(claims.video?.roomAdmin)
  t.ok(Number(claims.exp) * 1_000 <= Date.parse(ticket.expiresAt) + 1_000)
  await t.rejects(new TokenVerifier('APIkey', `${secret}!`).verify(ticket.token))
  const listening = await make(as('cy'), path, {})
  t.match(await verifier.verify(listening.token), { sub: guest.id, name: 'Cy', video: { canPublish: false } })
  t.match(await eve.post(path, {}), refuses(403, 'not_member'))
  t.match(await ada.post('/v1/spaces/space_nope/rtc-ticket', {}), refuses(404))
  t.match(await ada.post(path, { room: 'other' }), refuses(400))
  t.match(await as('mill', { type: 'service' }).post(path, {}), refuses(403, 'not_member'))
})

t.test('without a server there is no ticket, and what to set is said', async (t) => {
  const without = await town(t, { beside: booted })
  const { id } = await makeSpace(ada)
  const reply = await without.as('ada').post(`/v1/spaces/${id}/rtc-ticket`)
  t.match(reply, refuses(503, 'capability_missing'))
  t.match(reply.body.error.message, /LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET/)
})

t.test('the picture shows members and who speaks, and is drawn when something changed', async (t) => {
  const { id } = await makeSpace(ada, { name: '<Harbour> & "port"' })
  const path = `/v1/spaces-stream/${id}/composite.png`
  const get = async (headers: Record<string, string> = {}) => {
    const reply = await fetch(booted.url + path, {
      headers: { authorization: `Bearer ${await ada.key()}`, ...headers }
    })
    return {
      status: reply.status,
      etag: reply.headers.get('etag') ?? '',
      bytes: Buffer.from(await reply.arrayBuffer())
    }
  }
  const alone = await get()
  t.equal(alone.status, 200)
  t.match(await sharp(alone.bytes).metadata(), { format: 'png', width: 400, height: 248 })
  t.match(await get({ 'if-none-match': alone.etag }), { status: 304 })
  t.same((await get()).bytes, alone.bytes)

  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
  const agent = await ada.agent({ name: 'Pilot' })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'red.png')
  const encoded = new Response(form)
  const body = new Uint8Array(await encoded.arrayBuffer())
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  t.match(await ada.request('POST', `/v1/agents/${agent.id}/avatar`, { body, headers }), { status: 201 })
  await make(ada, `/v1/spaces/${id}/members`, { subjectType: 'agent', subjectId: agent.id })
  const two = await get()
  t.not(two.etag, alone.etag)
  const [r = 0, g = 0] = await sharp(two.bytes)
    .extract({ left: 300, top: 132, width: 1, height: 1 })
    .raw()
    .toBuffer()
  t.ok(r > 100 && g < 40, 'the avatar stands there')

  await ada.post(`/v1/spaces/${id}/signals`, { type: 'speaking' })
  const speaking = await until(get, ({ etag }) => etag !== two.etag)
  const [ring0 = 0, ring1 = 0] = await sharp(speaking.bytes)
    .extract({ left: 100, top: 60, width: 1, height: 1 })
    .raw()
    .toBuffer()
  t.ok(ring1 > ring0, 'a ring around who speaks')
  await ada.post(`/v1/spaces/${id}/signals`, { type: 'speaking', isSpeaking: false })
  t.equal((await until(get, ({ etag }) => etag !== speaking.etag)).etag, two.etag)
  t.match(await eve.get(path), refuses(403, 'not_member'))
  t.match(await ada.get('/v1/spaces-stream/space_nope/composite.png'), refuses(404))
})
