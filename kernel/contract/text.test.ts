import t from 'tap'
import { bytesOfBase64, trimEndOf, trimOf, withoutFence } from './text.ts'

t.test('trims given characters from both ends of a string', (t) => {
  t.equal(trimEndOf('https://a.example//', '/'), 'https://a.example')
  t.equal(trimEndOf('/a/b', '/'), '/a/b')
  t.equal(trimEndOf('===', '='), '')
  t.equal(trimEndOf('1 \t\n', ' \t\n'), '1')
  t.equal(trimOf('__a_b__', '_'), 'a_b')
  t.equal(trimOf('__', '_'), '')
  t.end()
})

t.test('removes a code fence around a whole answer', (t) => {
  const cases: [string, string][] = [
    ['```json\n{"a":1}\n```', '{"a":1}\n'],
    ['  \n```json  \n\n[1]\n\n  ```\n', '[1]'],
    ['```\n{}```', '{}'],
    ['{"a":1}', '{"a":1}'],
    ['```js\n1\n```', '```js\n1\n```'],
    ['Here:\n```json\n{}\n```', 'Here:\n```json\n{}\n```'],
    ['```json\n{}', '```json\n{}'],
    ['``````', '``````']
  ]
  for (const [given, expected] of cases) t.equal(withoutFence(given).trim(), expected.trim(), given)
  t.end()
})

t.test('decodes base64 with and without padding, and rejects other text', (t) => {
  for (const good of ['', 'YQ==', 'YQ', 'YWI=', 'YWJj']) t.ok(bytesOfBase64(good), good)
  t.equal(bytesOfBase64('YWJj')?.toString(), 'abc')
  for (const bad of ['Y', 'YQ==YQ==', 'Y Q', 'YQ!', 'YR', '=A']) t.equal(bytesOfBase64(bad), undefined, bad)
  t.end()
})

t.test('handles long strings in linear time', (t) => {
  const many = 1_000_000
  t.equal(bytesOfBase64(`${'='.repeat(many)}A`), undefined)
  const open = `\`\`\`json\n${'\n'.repeat(many)}`
  t.equal(withoutFence(open), open)
  t.equal(withoutFence(`${' \n'.repeat(many)}x`).length, 2 * many + 1)
  t.equal(trimOf(`x${'_'.repeat(many)}x`, '_').length, many + 2)
  t.end()
})
