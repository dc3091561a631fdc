// budget: 8 s, because each message is a run of its own
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import type { Asked } from './testbed.ts'
import { discordKey, mailServer, service, signedSlack, signedWebhook } from './testbed.ts'

let limited = 0
const telegram = await service(t, ({ path }) => {
  if (path.endsWith('/getMe')) return { body: { ok: true, result: { username: 'ada_bot' } } }
  if (path.endsWith('/sendMessage') && limited-- > 0)
    return { status: 429, body: { parameters: { retry_after: 0.1 } } }
  return { body: { ok: true } }
})
const slack = await service(t, ({ path, headers }) => {
  if (headers.authorization !== 'Bearer xoxb-good-token-1')
    return { body: { ok: false, error: 'invalid_auth' } }
  return { body: { ok: true, ...(path === '/auth.test' && { user: 'ada', team: 'Pears' }) } }
})
const discord = await service(t, () => ({ body: { username: 'ada' } }))
const theirs = await service(t, () => ({}))
const mail = await mailServer(t)
const booted = await boot(t, 'channels', {
  packs: ['access', 'agents', 'channels', 'jobs', 'models', 'outgoing', 'packs', 'runs', 'sessions'],
  env: {
    OUTGOING_ALLOW: '127.0.0.0/8',
    CHANNELS_TELEGRAM_URL: telegram.url,
    CHANNELS_SLACK_URL: slack.url,
    CHANNELS_DISCORD_URL: discord.url
  }
})
const { as, anyone, platform, settled } = booted
const ada = as('ada')
const eve = as('eve')
const of = (agentId: string, channel: string, action: string) =>
  `/v1/agents/${agentId}/runtime/channels/${channel}/${action}`
const pathOf = (address: string) => new URL(address).pathname
const deliver = (address: string, body: string, headers: Record<string, string>) =>
  anyone.request('POST', pathOf(address), {
    body,
    headers: { 'content-type': 'application/json', ...headers }
  })
const sentTo = (asked: readonly Asked[], path: RegExp) =>
  asked.filter((it) => path.test(it.path)).map(({ body }) => body)

t.test('channels are nobody else’s, and what is asked for is checked', async (t) => {
  const { id } = await ada.agent({ modelProvider: 'local' })
  for (const action of ['connect', 'disconnect', 'status', 'pair', 'send', 'test']) {
    t.equal((await eve.post(of(id, 'webhook', action), {})).status, 403, action)
    t.equal((await eve.post(of('agent_nope', 'webhook', action), {})).status, 404, action)
    t.equal((await ada.post(of(id, 'pigeon', action), {})).status, 404, action)
    if (!['connect', 'status', 'disconnect', 'send'].includes(action))
      t.match(await ada.post(of(id, 'webhook', action)), {
        status: 409,
        body: { error: { code: 'not_connected' } }
      })
  }
  t.equal((await ada.post(of(id, 'webhook', 'explode'))).status, 404)
  const wrong: [string, string, object, string][] = [
    ['webhook', 'connect', {}, '/url'],
    ['webhook', 'connect', { url: 'ftp://a.example' }, '/url'],
    ['webhook', 'connect', { url: 'https://a.example', colour: 'red' }, '/colour'],
    ['webhook', 'connect', { url: 'https://a.example', access: 'all' }, '/access'],
    ['telegram', 'connect', { token: 'pear' }, '/token'],
    ['slack', 'connect', { token: 'xoxb-good-token-1' }, '/signingSecret'],
    ['discord', 'connect', { token: 'x'.repeat(40), publicKey: 'zz' }, '/publicKey'],
    ['email', 'connect', { host: 'mail', port: 0, from: 'a@b.example' }, '/port'],
    ['webhook', 'send', { text: 'x' }, '/conversation'],
    ['webhook', 'send', { conversation: 'x', text: '' }, '/text'],
    ['webhook', 'pair', { colour: 'red' }, '/colour']
  ]
  for (const [channel, action, body, param] of wrong)
    t.match(
      await ada.post(of(id, channel, action), body),
      { status: 400, body: { error: { param } } },
      `${channel} ${JSON.stringify(body)}`
    )
  const refused = { token: 'xoxb-bad-token-22', signingSecret: 'a'.repeat(32) }
  t.match(await ada.post(of(id, 'slack', 'connect'), refused), {
    status: 502,
    body: { error: { code: 'channel_refused' } }
  })
  t.equal((await deliver('http://x/v1/channels/channel_nope/deliveries', '{}', {})).status, 404)
})

t.test('a webhook: signed both ways, once, in order', async (t) => {
  const agent = await ada.agent({ modelProvider: 'local' })
  const { body } = await ada.post(of(agent.id, 'webhook', 'connect'), { url: `${theirs.url}/in` })
  const { secret, address } = body.data
  t.match(body.data, { state: 'connected', access: 'open' })
  t.notMatch(JSON.stringify((await ada.post(of(agent.id, 'webhook', 'status'))).body), secret, 'shown once')
  t.notMatch(
    JSON.stringify(await platform.knex('channels.channel').where({ agentId: agent.id })),
    secret.slice(6)
  )

  const words = ['one', 'two', 'three']
  const bodies = words.map((word) => JSON.stringify({ conversation: 'c1', text: `/say ${word}` }))
  for (const [index, text] of bodies.entries())
    t.same((await deliver(address, text, signedWebhook(secret, `m${index}`, text))).body, {
      data: { received: 1 }
    })
  const [again = ''] = bodies
  t.same(
    (await deliver(address, again, signedWebhook(secret, 'm0', again))).body,
    { data: { received: 0 } },
    'a repetition'
  )
  const old = String(Math.floor(Date.now() / 1_000) - 400)
  const bad: [string, Record<string, string>][] = [
    ['of another secret', signedWebhook(`whsec_${Buffer.alloc(32).toString('base64')}`, 'm9', again)],
    ['an old one', signedWebhook(secret, 'm9', again, old)],
    ['of another body', signedWebhook(secret, 'm9', 'other')],
    ['none', {}]
  ]
  for (const [what, headers] of bad)
    t.match(
      await deliver(address, again, headers),
      { status: 401, body: { error: { code: 'invalid_signature' } } },
      what
    )

  const answers = await until(
    async () => sentTo(theirs.asked, /^\/in/),
    ({ length }) => length >= 3
  )
  t.same(
    answers.map(({ text }) => text),
    words,
    'answered in order, each once'
  )
  const [first] = theirs.asked
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = first?.headers ?? {}
  t.equal(
    signature,
    signedWebhook(secret, String(id), JSON.stringify(first?.body), String(time))['webhook-signature']
  )
  const sessions = await platform
    .knex('channels.message')
    .where({ agentId: agent.id })
    .distinct('conversationId')
  t.equal(sessions.length, 1)

  t.match(
    (await ada.post(of(agent.id, 'webhook', 'send'), { conversation: 'c2', text: 'Hello' })).body.data,
    { messageId: /^message_/ }
  )
  await until(
    async () => sentTo(theirs.asked, /^\/in/),
    (all) => all.some(({ text }) => text === 'Hello')
  )
  t.match((await ada.post(of(agent.id, 'webhook', 'test'))).body.data, { ok: true })
  t.match((await ada.post(of(agent.id, 'webhook', 'disconnect'))).body.data, {
    state: 'disconnected',
    address: null
  })
  t.equal(
    (await deliver(address, again, signedWebhook(secret, 'm7', again))).status,
    404,
    'nothing is delivered any more'
  )
  await ada.delete(`/v1/agents/${agent.id}`)
  await settled()
  t.same(await platform.knex('channels.message').where({ agentId: agent.id }), [])
})

t.test('Telegram: paired, and patient', async (t) => {
  const agent = await ada.agent({ modelProvider: 'local' })
  const token = `123456:${'A'.repeat(20)}`
  const { body } = await ada.post(of(agent.id, 'telegram', 'connect'), { token })
  t.match(body.data, { account: '@ada_bot', access: 'paired' })
  const [set] = sentTo(telegram.asked, /setWebhook$/)
  t.equal(set.url, body.data.address)
  const update = (id: number, text: string) =>
    JSON.stringify({ update_id: id, message: { text, chat: { id: 77 }, from: { id: 5, is_bot: false } } })
  const secret = { 'x-telegram-bot-api-secret-token': set.secret_token }
  t.equal(
    (await deliver(set.url, update(1, 'x'), { 'x-telegram-bot-api-secret-token': 'wrong' })).status,
    401
  )
  t.same(
    (await deliver(set.url, update(2, '/say nobody'), secret)).body,
    { data: { received: 0 } },
    'not paired'
  )
  const { code } = (await ada.post(of(agent.id, 'telegram', 'pair'))).body.data
  t.same((await deliver(set.url, update(3, code.toLowerCase()), secret)).body, { data: { received: 1 } })
  limited = 2
  t.same((await deliver(set.url, update(4, '/say pear'), secret)).body, { data: { received: 1 } })
  t.same((await deliver(set.url, update(4, '/say pear'), secret)).body, { data: { received: 0 } })
  const said = await until(
    async () => sentTo(telegram.asked, /sendMessage$/).filter(({ text }) => text === 'pear'),
    ({ length }) => length > 0
  )
  t.match(said[0], { chat_id: '77', text: 'pear' })
  t.match((await ada.post(of(agent.id, 'telegram', 'status'))).body.data, { conversations: 1 })
  const log = JSON.stringify(await platform.knex('channels.channel').where({ agentId: agent.id }))
  t.notMatch(log, token)
})

t.test('Slack, Discord and email', async (t) => {
  const agent = await ada.agent({ modelProvider: 'local' })
  const signingSecret = '0123456789abcdef0123456789abcdef'
  const open = { access: 'open' }
  const ofSlack = await ada.post(of(agent.id, 'slack', 'connect'), {
    token: 'xoxb-good-token-1',
    signingSecret,
    ...open
  })
  t.match(ofSlack.body.data, { account: 'ada at Pears' })
  const at = ofSlack.body.data.address
  const challenge = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
  t.same((await deliver(at, challenge, signedSlack(signingSecret, challenge))).body, { challenge: 'abc' })
  const event = JSON.stringify({
    type: 'event_callback',
    event_id: 'Ev1',
    event: { type: 'message', text: '/say fig', channel: 'C1', user: 'U1' }
  })
  t.equal((await deliver(at, event, signedSlack('f'.repeat(32), event))).status, 401)
  t.equal((await deliver(at, event, signedSlack(signingSecret, event, '1600000000'))).status, 401)
  await deliver(at, event, signedSlack(signingSecret, event))
  await deliver(at, event, signedSlack(signingSecret, event))

  const key = discordKey()
  const { publicKey } = key
  const ofDiscord = await ada.post(of(agent.id, 'discord', 'connect'), {
    token: 'D'.repeat(30),
    publicKey,
    ...open
  })
  const there = ofDiscord.body.data.address
  const ping = JSON.stringify({ type: 1 })
  t.same((await deliver(there, ping, key.signed(ping))).body, { type: 1 })
  t.equal((await deliver(there, ping, discordKey().signed(ping))).status, 401)
  t.equal((await deliver(there, ping, key.signed(ping, '1600000000'))).status, 401)
  const command = JSON.stringify({
    id: 'i1',
    type: 2,
    channel_id: 'd1',
    user: { id: 'u' },
    data: { options: [{ value: '/say plum' }] }
  })
  t.match((await deliver(there, command, key.signed(command))).body, { type: 4 })

  const from = 'ada@example.com'
  const ofEmail = await ada.post(of(agent.id, 'email', 'connect'), {
    host: '127.0.0.1',
    port: mail.port,
    from,
    ...open
  })
  t.match(ofEmail, { status: 200, body: { data: { account: from } } })
  const { secret, address } = ofEmail.body.data
  const letter = JSON.stringify({ messageId: '<1@b>', from: 'Bob@example.com', text: '/say quince' })
  t.equal((await deliver(address, letter, signedWebhook(secret, 'e1', letter))).status, 200)

  await until(
    async () => sentTo(slack.asked, /postMessage/),
    (all) => all.some((it) => it.markdown_text === 'fig')
  )
  t.equal(sentTo(slack.asked, /postMessage/).filter((it) => it.markdown_text === 'fig').length, 1)
  await until(
    async () => sentTo(discord.asked, /\/channels\/d1\/messages/),
    (all) => all.some(({ content }) => content === 'plum')
  )
  const [written] = await until(
    async () => mail.mails,
    ({ length }) => length > 0
  )
  t.match(written, /To: bob@example.com[\s\S]*quince/)
})

t.test('Slack: a mention is answered once, in its thread, and notifies nobody', async (t) => {
  const agent = await ada.agent({ modelProvider: 'local' })
  const signingSecret = '0123456789abcdef0123456789abcdef'
  const connected = await ada.post(of(agent.id, 'slack', 'connect'), {
    token: 'xoxb-good-token-1',
    signingSecret
  })
  let events = 0
  const say = async (event: Readonly<Record<string, unknown>>) => {
    const body = JSON.stringify({
      type: 'event_callback',
      event_id: `Ev${++events}`,
      authorizations: [{ user_id: 'U0', is_bot: true }],
      event: { type: 'message', user: 'U1', channel: 'C7', ...event }
    })
    const reply = await deliver(connected.body.data.address, body, signedSlack(signingSecret, body))
    return reply.body.data.received
  }
  const posted = () => sentTo(slack.asked, /postMessage/).filter(({ channel }) => channel === 'C7')
  const answered = (text: string) =>
    until(
      async () => posted(),
      (all) => all.some((it) => it.markdown_text === text)
    )

  const { code } = (await ada.post(of(agent.id, 'slack', 'pair'))).body.data
  t.equal(await say({ ts: '1.0', text: '/say early' }), 0, 'not paired')
  t.equal(await say({ ts: '1.1', text: code }), 1)

  const mention = { ts: '2.1', text: '<@U0> /say plum' }
  t.equal(await say(mention), 1)
  t.equal(await say({ ...mention, type: 'app_mention' }), 0, 'the same message as another event')
  t.equal(await say({ ...mention, type: 'app_mention', ts: '2.2' }), 1, 'the same words again')
  t.equal(await say({ ...mention, ts: '2.2' }), 0, 'in the other order')
  await until(
    async () => posted().filter((it) => it.markdown_text === 'plum'),
    ({ length }) => length === 2
  )
  t.ok(posted().every((it) => it.thread_ts === undefined))

  const thread = { thread_ts: '2.1', text: '/say 1 &lt; 2 &amp; &lt;!channel&gt; **b**' }
  t.equal(await say({ ...thread, ts: '3.1' }), 1, 'a thread of a paired channel is paired')
  t.equal(await say({ ts: '3.2', thread_ts: '2.2', text: '/say fig', subtype: 'thread_broadcast' }), 1)
  t.equal(await say({ ts: '3.3', thread_ts: '2.2', text: 'x', subtype: 'message_changed' }), 0)
  t.equal(await say({ ts: '3.4', thread_ts: '2.2', text: 'x', bot_id: 'B1' }), 0)
  await answered('1 &lt; 2 &amp; &lt;!channel&gt; **b**')
  const said = await answered('fig')
  t.match(
    said.find((it) => it.markdown_text?.startsWith('1')),
    { thread_ts: '2.1', text: undefined }
  )
  t.match(
    said.find((it) => it.markdown_text === 'fig'),
    { thread_ts: '2.2' }
  )
  const sessions = await platform
    .knex('channels.conversation')
    .where({ agentId: agent.id })
    .whereNotNull('sessionId')
    .orderBy('external')
  t.same(
    sessions.map(({ external, paired }) => [external, paired]),
    [
      ['C7', true],
      ['C7:2.1', true],
      ['C7:2.2', true]
    ]
  )
  t.equal(new Set(sessions.map(({ sessionId }) => sessionId)).size, 3, 'each has a session of its own')

  const long = '&'.repeat(5_000)
  await ada.post(of(agent.id, 'slack', 'send'), { conversation: 'C7:2.1', text: long })
  const all = await until(
    async () => posted().filter((it) => /^(?:&amp;)+$/.test(it.markdown_text)),
    (parts) => parts.map((it) => it.markdown_text).join('').length === 25_000
  )
  t.ok(all.every((it) => it.markdown_text.length <= 12_000 && it.thread_ts === '2.1'))
})
