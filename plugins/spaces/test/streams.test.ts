// budget: 8 s, because two instances follow
import t from 'tap'
import { follow, join, makeSpace, say, town } from './testbed.ts'

const env = { SPACES_KEPT_EVENTS: '100' }
const booted = await town(t, { env })
const beside = await town(t, { beside: booted, env })
const { as, url } = booted
const [ada, bob, eve] = [as('ada'), as('bob'), as('eve')]
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})

t.test(
  'a space is followed on two instances, in one order and without a gap, from any event on',
  async (t) => {
    const { id } = await makeSpace(ada)
    await join(ada, id, 'bob')
    const here = await follow(t, url, ada, id)
    const there = await Promise.all([1, 2, 3].map(() => follow(t, beside.url, bob, id)))
    const elsewhere = beside.as('bob')
    const posts = Array.from({ length: 40 }, (_, n) => say(n % 2 ? ada : elsewhere, id, `Message ${n}`))
    await Promise.all(posts)
    const last = await say(ada, id, 'The last')
    const all = async (reader: Awaited<ReturnType<typeof follow>>) => {
      const events = []
      for (;;) {
        const event = await reader.until(({ type }) => type !== 'presence' && type !== 'keepalive')
        events.push(event)
        if (event.message?.id === last.id) return events
      }
    }
    const [seen = [], ...others] = await Promise.all([here, ...there].map(all))
    t.same(
      seen.map(({ seq }) => seq),
      Array.from({ length: seen.length }, (_, seq) => seq)
    )
    t.equal(new Set(seen.filter(({ type }) => type === 'message_posted').map((it) => it.message.id)).size, 41)
    for (const events of others) t.same(events, seen)
    const resumed = await follow(t, beside.url, bob, id, '?after=20')
    t.same(await all(resumed), seen.slice(21))
    const { seq } = (await ada.get(`/v1/spaces/${id}/full`)).body.data
    t.equal(seq, seen.length - 1)
    t.match(await ada.get(`/v1/spaces/${id}/subscribe?after=${seq + 1}`), refuses(400, undefined, 'after'))
    t.match(await ada.get(`/v1/spaces/${id}/subscribe?after=x`), refuses(400, undefined, 'after'))
    t.match(await eve.get(`/v1/spaces/${id}/subscribe`), refuses(403, 'not_member'))
    t.match(await ada.get('/v1/spaces/space_nope/subscribe'), refuses(404))
    const { seq: _, ...about } = seen.at(-1) ?? {}
    t.match(about, { type: 'message_posted', spaceId: id, message: { content: 'The last', authorId: 'ada' } })
  }
)

t.test('who is removed gets nothing more, on any instance, and begins anew when it comes back', async (t) => {
  const { id } = await makeSpace(ada)
  const { id: memberId } = await join(ada, id, 'bob')
  const readers = [await follow(t, url, bob, id), await follow(t, beside.url, bob, id)]
  for (const reader of readers) await reader.until(({ type }) => type === 'member_added')
  t.match(await ada.delete(`/v1/spaces/${id}/members/${memberId}`), { status: 200 })
  await say(ada, id, 'Now that we are alone')
  for (const reader of readers) {
    t.match(await reader.until(({ type }) => type === 'member_removed'), { memberId })
    t.equal(await reader.frame(), undefined, 'it ends')
  }
  t.match(await bob.get(`/v1/spaces/${id}/subscribe`), refuses(403, 'not_member'))
  await join(ada, id, 'bob')
  const again = await follow(t, url, bob, id)
  t.match(await again.until(({ type }) => type === 'message_posted'), {
    message: { content: 'Now that we are alone' }
  })
})

t.test('who is there, types and speaks is told, and not kept', async (t) => {
  const { id } = await makeSpace(ada)
  const { id: memberId } = await join(ada, id, 'bob')
  const { id: guestId } = await join(ada, id, 'cy', { role: 'guest' })
  const reader = await follow(t, url, ada, id)
  const other = await follow(t, beside.url, bob, id)
  t.match(await reader.until(({ type, memberId: of }) => type === 'presence' && of === memberId), {
    isPresent: true
  })
  const shown = (await ada.get(`/v1/spaces/${id}/members`)).body.data
  t.equal(shown.find((it: { id: string }) => it.id === memberId).isPresent, true)
  t.equal(shown.find((it: { id: string }) => it.id === guestId).isPresent, false)
  const elsewhere = beside.as('bob')
  t.match(await elsewhere.post(`/v1/spaces/${id}/signals`, { type: 'typing' }), { status: 200 })
  t.match(await reader.until(({ type }) => type === 'typing'), { memberId, seq: 2 })
  const message = await say(ada, id, 'Hello')
  await elsewhere.put(`/v1/spaces/${id}/members/${memberId}`, { readMessageId: message.id })
  t.match(await reader.until(({ type }) => type === 'read'), { memberId, messageId: message.id })
  t.match(await as('cy').post(`/v1/spaces/${id}/signals`, { type: 'speaking' }), refuses(403))
  t.match(await eve.post(`/v1/spaces/${id}/signals`, { type: 'typing' }), refuses(403))
  t.match(await ada.post(`/v1/spaces/${id}/signals`, { type: 'shouting' }), refuses(400, undefined, '/type'))
  t.match(await ada.post('/v1/spaces/space_nope/signals', { type: 'typing' }), refuses(404))
  other.close()
  t.match(await reader.until(({ type, memberId: of }) => type === 'presence' && of === memberId), {
    isPresent: false
  })
  const kept = await booted.platform.knex('kernel.stream_chunk').where({ stream: id }).pluck('body')
  t.notMatch(kept.join('\n'), /typing|presence/)
})

t.test('a caller ends its streams, on all instances, and nobody else’s', async (t) => {
  const { id } = await makeSpace(ada)
  await join(ada, id, 'bob')
  const mine = [await follow(t, url, ada, id), await follow(t, beside.url, ada, id)]
  const others = await follow(t, url, bob, id)
  for (const reader of [...mine, others]) await reader.until(({ type }) => type === 'member_added')
  t.match(await ada.get(`/v1/spaces/${id}/unsubscribe`), {
    status: 200,
    body: { data: { id, unsubscribed: true } }
  })
  for (const reader of mine) {
    t.match(await reader.until(({ type }) => type === 'unsubscribed'), { spaceId: id, seq: 1 })
    t.equal(await reader.frame(), undefined, 'and nothing more')
  }
  await say(ada, id, 'Still there?')
  t.match(await others.until(({ type }) => type === 'message_posted'), {
    message: { content: 'Still there?' }
  })
  t.match(await eve.get(`/v1/spaces/${id}/unsubscribe`), refuses(403))
  t.match(await eve.get('/v1/spaces/space_nope/unsubscribe'), refuses(404))
})

t.test('a caller has ten streams of a space at most, and a space that goes ends all of them', async (t) => {
  const { id } = await makeSpace(ada)
  const readers = await Promise.all(Array.from({ length: 10 }, () => follow(t, url, ada, id)))
  for (const reader of readers) await reader.until(({ type }) => type === 'space_created')
  t.match(await ada.get(`/v1/spaces/${id}/subscribe`), refuses(429, 'too_many_streams'))
  await ada.delete(`/v1/spaces/${id}`)
  for (const reader of readers)
    await t.rejects(
      reader.until(() => false),
      /ended/
    )
})

t.test('the latest events are kept, and who asks for older ones is told so', async (t) => {
  const { id } = await makeSpace(ada)
  const slow = await follow(t, url, ada, id)
  slow.response.pause()
  for (let n = 0; n < 650; n += 50) await Promise.all(Array.from({ length: 50 }, () => say(ada, id, 'x')))
  const { seq, messages } = (await ada.get(`/v1/spaces/${id}/full`)).body.data
  t.equal(seq, 650)
  t.equal(messages.length, 100)
  const old = await ada.get(`/v1/spaces/${id}/subscribe?after=5`)
  t.match(old, refuses(410, 'events_gone', 'after'))
  const first = Number(/up to (\d+) are not kept/.exec(old.body.error.message)?.[1]) + 1
  t.ok(first > 300 && first <= 551, `from ${first} on`)
  t.match(await ada.get(`/v1/spaces/${id}/subscribe`), refuses(410, 'events_gone'))
  const behind = await follow(t, beside.url, ada, id, `?after=${first - 1}`)
  t.equal((await behind.until(({ type }) => type === 'message_posted')).seq, first)
  const { data, nextCursor } = (await ada.get(`/v1/spaces/${id}/messages?limit=100`)).body
  t.equal(data.length, 100)
  t.ok(nextCursor, 'messages are kept by themselves')
  slow.response.resume()
  const seen: number[] = []
  for (let event = await slow.next(); event && event.seq < seq; event = await slow.next())
    if (event.type === 'message_posted') seen.push(event.seq)
  t.same(
    seen,
    seen.map((_, index) => index + 1),
    'who was slow gets no gap: all of it, or its end'
  )
})
