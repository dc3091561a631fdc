// budget: 12 s, because a server of mail is started, looked into again and again, and one floods what reads it
// tier: whole
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import { mailbox, noDovecot } from './mailbox-fixture.ts'
import { mailServer } from './testbed.ts'

const verified = (from: string) =>
  `mx.example.com 1; spf=none; arc=pass (i=1; dmarc=fail); dmarc=pass (p=reject) header.from=${from.split('@')[1]}`
const letter = (id: string, fields: Record<string, string> = {}) => ({
  'Authentication-Results': verified('bob@pears.example'),
  From: 'Bob <bob@pears.example>',
  To: 'ada@example.com',
  'Message-ID': `<${id}@pears.example>`,
  ...fields
})

t.test('an inbox is read by IMAP', { skip: noDovecot }, async (t) => {
  const [inbox, outbox] = [await mailbox(t), await mailServer(t)]
  const { as, platform } = await boot(t, 'channels', {
    packs: ['access', 'agents', 'channels', 'jobs', 'models', 'outgoing', 'packs', 'runs', 'sessions'],
    env: { OUTGOING_ALLOW: '127.0.0.0/8', CHANNELS_FETCH_SECONDS: '1' }
  })
  const ada = as('ada')
  const agent = await ada.agent({ modelProvider: 'local' })
  const at = (action: string) => `/v1/agents/${agent.id}/runtime/channels/email/${action}`
  const given = {
    ...{ host: '127.0.0.1', port: outbox.port, from: 'ada@example.com', access: 'open' },
    ...{ imapHost: 'localhost', imapPort: inbox.port, verifier: 'mx.example.com' }
  }
  const messages = () => platform.knex('channels.message').where({ agentId: agent.id }).orderBy('id')

  const login = { imapUser: 'ada@example.com', imapPassword: 'letters-7' }

  await t.test('that lets it in, over TLS, and what lay there before is not answered', async (t) => {
    inbox.deliver(letter('old'), '/say old')
    for (const [fields, param] of [
      [{ imapPassword: 'letters-7' }, '/imapUser'],
      [{ imapUser: 'ada' }, '/imapPassword'],
      [{ ...login, verifier: undefined }, '/verifier']
    ] as const)
      t.match(await ada.post(at('connect'), { ...given, ...fields }), {
        status: 400,
        body: { error: { param } }
      })
    const wrong = { ...given, ...login, imapPassword: 'pears' }
    t.match(await ada.post(at('connect'), wrong), {
      status: 502,
      body: { error: { code: 'channel_refused', message: 'The IMAP server does not let it in' } }
    })
    for (const flood of ['x'.repeat(65_536), `* OK ${'x'.repeat(1_000)}\r\n`.repeat(60)]) {
      let sent = 0
      const endless = createServer((socket) => {
        const more = () => {
          while (socket.writable && socket.write(flood)) sent += flood.length
          sent += flood.length
        }
        socket.on('drain', more).on('error', () => undefined)
        more()
      }).listen(0, '127.0.0.1')
      await once(endless, 'listening')
      const { port: imapPort } = endless.address() as AddressInfo
      t.match(await ada.post(at('connect'), { ...given, ...login, imapHost: '127.0.0.1', imapPort }), {
        status: 502,
        body: { error: { message: 'The IMAP server could not be asked' } }
      })
      t.ok(sent < 67_108_864, `no more is read of a server that never ends: ${sent}`)
      endless.close()
    }
    const byNumber = { ...given, ...login, imapHost: '127.0.0.1' }
    t.match(await ada.post(at('connect'), byNumber), { status: 502 }, 'its certificate is of another name')
    const refused = { ...given, ...login, imapHost: '10.0.0.1' }
    t.match(await ada.post(at('connect'), refused), {
      status: 502,
      body: { error: { code: 'address_refused' } }
    })
    const made = await ada.post(at('connect'), { ...given, ...login })
    t.match(made, { status: 200, body: { data: { state: 'connected' } } })
    const kept = await platform.knex('channels.channel').where({ agentId: agent.id })
    t.notMatch(JSON.stringify([made.body.data.config, kept]), /letters-7/)
  })

  await t.test('whose letters are answered, each once', async (t) => {
    inbox.deliver(
      letter('one'),
      '/say quince\r\n\r\nOn Mon, 23 Nov 2026 at 10:00, ada@example.com wrote:\r\n> /say nothing\r\n'
    )
    inbox.deliver(letter('one'), '/say quince')
    const encoded = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/alternative; boundary=b' }
    const part = (type: string, text: string) =>
      `--b\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n`
    inbox.deliver(
      letter('two', encoded),
      `${part('text/plain', '/say Äpfel')}${part('text/html', '<b>/say no</b>')}--b--\r\n`
    )
    await until(
      async () => outbox.mails,
      ({ length }) => length >= 2
    )
    t.match(outbox.mails[0], /To: bob@pears\.example[\s\S]*quince/)
    t.match(outbox.mails[1], /=C3=84pfel/i)
    t.same(
      (await messages()).map(({ external }) => external),
      ['<one@pears.example>', '<two@pears.example>']
    )
  })

  await t.test('and nobody else is, nor programs, nor what it wrote itself', async (t) => {
    const forged = verified('eve@plums.example')
    const others: [string, Record<string, string>][] = [
      ['nothing verified', { 'Authentication-Results': '' }],
      [
        'by another server',
        { 'Authentication-Results': verified('bob@pears.example').replace('mx.', 'mx2.') }
      ],
      ['failed', { 'Authentication-Results': 'mx.example.com; dmarc=fail header.from=pears.example' }],
      ['of another domain', { 'Authentication-Results': forged }],
      [
        'claimed below the true one',
        { 'Authentication-Results': `${forged}\r\nAuthentication-Results: ${verified('bob@pears.example')}` }
      ],
      [
        'in a comment',
        { 'Authentication-Results': 'mx.example.com; spf=none (dmarc=pass header.from=pears.example)' }
      ],
      [
        'in an address of the sender’s',
        {
          'Authentication-Results': `mx.example.com; spf=pass smtp.mailfrom="a; dmarc=pass header.from=pears.example; b"@plums.example; dmarc=fail header.from=pears.example`
        }
      ],
      [
        'behind a comment that the sender’s address ends',
        {
          'Authentication-Results': `mx.example.com; spf=pass (domain of "a); dmarc=pass header.from=pears.example (b"@plums.example is right); dmarc=fail header.from=pears.example`
        }
      ],
      [
        'in a comment of the result',
        {
          'Authentication-Results':
            'mx.example.com; dmarc=pass (header.from=pears.example) header.from=plums.example'
        }
      ],
      [
        'without an end',
        { 'Authentication-Results': 'mx.example.com; dmarc=pass header.from=pears.example; x="a' }
      ],
      ['two senders in one field', { From: 'bob@pears.example, eve@pears.example' }],
      ['two senders in brackets', { From: '<bob@pears.example> <eve@plums.example>' }],
      ['two in brackets, the other first', { From: '<eve@plums.example> <bob@pears.example>' }],
      ['an address before the brackets', { From: 'eve@plums.example <bob@pears.example>' }],
      ['an address behind the brackets', { From: '<bob@pears.example> eve@plums.example' }],
      ['an address in a comment', { From: 'bob@pears.example (eve@plums.example)' }],
      ['a quote that does not end', { From: '"Bob <bob@pears.example>' }],
      ['brackets in brackets', { From: '<<bob@pears.example>>' }],
      ['one sender in a group', { From: 'us: bob@pears.example;' }],
      ['an address within another', { From: '"bob@pears.example"@plums.example' }],
      ['two senders', { From: 'bob@pears.example\r\nFrom: eve@plums.example' }],
      ['an answer of a program', { 'Auto-Submitted': 'auto-replied' }],
      ['of a list', { 'List-Id': '<pears.example>' }],
      ['in bulk', { Precedence: 'bulk' }],
      ['its own', { From: 'ada@example.com', 'Authentication-Results': verified('ada@example.com') }]
    ]
    for (const [index, [, fields]] of others.entries())
      inbox.deliver(letter(`bad-${index}`, fields), '/say no')
    inbox.deliver(letter('empty'), '> quoted alone')
    inbox.deliver(letter('long'), `/say long ${'x'.repeat(400_000)}`)
    inbox.deliver(letter('deep'), `${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(500)}`)
    inbox.deliver(letter('last'), '/say last')
    await until(
      async () => outbox.mails,
      (mails) => mails.some((mail) => mail.trim().endsWith('last'))
    )
    const kept = (await messages()).map(({ external }) => external)
    for (const [index, [what]] of others.entries())
      t.notOk(kept.includes(`<bad-${index}@pears.example>`), what)
    t.notOk(kept.includes('<empty@pears.example>'))
    t.ok(kept.includes('<last@pears.example>'))
    t.ok((await messages()).every(({ text }) => text.length <= 100_000))
  })

  await t.test('as long as it is connected, and the channel says why where it cannot', async (t) => {
    await inbox.stop()
    await until(
      async () => (await ada.post(at('status'))).body.data,
      ({ reason }) => reason === 'The IMAP server could not be asked'
    )
    t.match((await ada.post(at('disconnect'))).body.data, { state: 'disconnected' })
    t.match(await platform.knex('channels.channel').where({ agentId: agent.id }), [
      { cursor: null, sealed: null }
    ])
  })
})
