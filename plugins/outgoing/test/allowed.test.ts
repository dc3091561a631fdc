import t from 'tap'
import { parseAllowed } from '../allowed.ts'

const { host, address } = parseAllowed(
  ' ollama, Models.Internal:8000 ,10.0.0.0/8,192.168.1.5, 127.0.0.1:11434, ::1, [fd00::7]:81, fd12::/16,, 2130706690 ',
  true
)

t.test('hosts', (t) => {
  t.ok(host('ollama', 80))
  t.ok(host('OLLAMA', 1))
  t.ok(host('models.internal', 8000))
  t.notOk(host('models.internal', 80), 'at another port')
  t.notOk(host('a.ollama', 80), 'below it')
  t.notOk(host('', 80))
  t.end()
})

t.test('addresses and ranges', (t) => {
  for (const it of [
    '10.0.0.1',
    '10.255.255.255',
    '::ffff:10.1.1.1',
    '192.168.1.5',
    '::1',
    'fd12::1',
    '127.0.1.2'
  ])
    t.ok(address(it, 80), it)
  for (const it of [
    '11.0.0.1',
    '192.168.1.6',
    '127.0.0.1',
    '::2',
    'fd00::7',
    'fd13::1',
    '64:ff9b::10.0.0.1',
    'x',
    ''
  ])
    t.notOk(address(it, 80), it)
  t.ok(address('127.0.0.1', 11434))
  t.ok(address('::ffff:7f00:1', 11434))
  t.ok(address('fd00::7', 81))
  t.notOk(address('fd12::1%lo', 80), 'not by a link of this machine')
  t.end()
})

t.test('nothing where nothing is set', (t) => {
  const none = parseAllowed('', true)
  t.notOk(none.host('', 80))
  t.notOk(none.address('10.0.0.1', 80))
  t.end()
})

t.test('everything in development alone', (t) => {
  const all = parseAllowed('ollama, *', false)
  t.ok(all.host('anything', 80))
  t.ok(all.address('169.254.169.254', 80))
  t.throws(() => parseAllowed('ollama, *', true), { message: /OUTGOING_ALLOW: \* is for development/ })
  t.end()
})

t.test('what is no host, address or range is told', (t) => {
  const wrong = [
    'http://ollama',
    '10.0.0.0/33',
    '10/8',
    'a/b',
    '::/129',
    '::ffff:10.0.0.0/104',
    '*.internal',
    'a b'
  ]
  for (const it of [
    ...wrong,
    'ollama:99999',
    'ollama:x',
    'user@ollama',
    '10.0.0.0/8:80',
    '[::1',
    'fe80::1%lo'
  ])
    t.throws(() => parseAllowed(`ollama,${it}`, false), {
      message: `OUTGOING_ALLOW: ${JSON.stringify(it)} is no host, address or range`
    })
  t.end()
})
