import { createHash } from 'node:crypto'
import t from 'tap'
import { isKey, makeKey } from './keys.ts'

t.test('the form of each kind', async (t) => {
  const forms = [
    ['ap_live_', /^ap_live_[0-9A-Za-z]{38}$/],
    ['ap_test_', /^ap_test_[0-9A-Za-z]{38}$/],
    ['apk_', /^apk_[0-9A-Za-z]{38}$/],
    ['apt_', /^apt_[0-9A-Za-z]{38}$/]
  ] as const
  for (const [mark, form] of forms) {
    const { key, prefix, hash } = makeKey(mark)
    t.match(key, form)
    t.ok(isKey(key))
    t.equal(prefix, key.slice(0, -34))
    t.equal(hash.toString('hex'), createHash('sha256').update(key).digest('hex'))
  }
})

t.test('a typo is refused without a look-up', async (t) => {
  const { key } = makeKey('ap_live_')
  for (let at = 0; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    t.notOk(isKey(typo), `at ${at}`)
  }
  const swapped = key.replace(/(.)(.)(.{5})$/, (_, a, b, rest) => b + a + rest)
  if (swapped !== key) t.notOk(isKey(swapped))
  t.notOk(isKey(key.replace('live', 'test')), 'of another environment')
  for (const text of ['', 'ap_live_', `${key}\n`, ` ${key}`, key.slice(0, -1), `${key}0`, 'Bearer x'])
    t.notOk(isKey(text))
})

t.test('every digit is as likely as the others', async (t) => {
  const counts = new Map<string, number>()
  const keys = 5000
  for (let i = 0; i < keys; i++)
    for (const digit of makeKey('apk_').key.slice(4, 36)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const expected = (keys * 32) / 62
  let chiSquare = 0
  for (const count of counts.values()) chiSquare += (count - expected) ** 2 / expected
  t.equal(counts.size, 62)
  // With 61 degrees of freedom fewer than one fair run in 10^9 exceeds 150; byte % 62 gives about 1000.
  t.ok(chiSquare < 150, `chi-square ${chiSquare}`)
})
