import t from 'tap'
import { createDeltaFastPath } from '../../chat-completions/delta-fast-path.ts'
import { chunk } from './testbed.ts'

const event = (content: unknown, other: object = {}) => JSON.stringify(chunk({ content }, null, other))

function taught(data: string) {
  const fastPath = createDeltaFastPath()
  fastPath.learn(data, JSON.parse(data).choices[0].delta)
  return fastPath
}

t.test('an event like one before is read without parsing it', async (t) => {
  const { match } = taught(event('one'))
  for (const content of ['two', '', ' ', 'a longer one', 'ä 🥚', "'", '}]}'])
    t.equal(match(event(content)), content)
})

t.test('whatever differs in anything but plain text is left to the parser', async (t) => {
  const { match } = taught(event('one'))
  for (const content of ['"', 'two\n', '\\', 'a","b":"c', '\t', '\u0001', null, 5, ['x']])
    t.equal(match(event(content)), undefined)
  t.equal(match(event('two', { usage: { prompt_tokens: 1 } })), undefined)
  t.equal(match(JSON.stringify(chunk({ content: 'two' }, 'stop'))), undefined)
  t.equal(match(event('one').replace('one', 'raw\ttab')), undefined)
  t.equal(match('[DONE]'), undefined)
  t.equal(match(''), undefined)
  // Begins and ends as it should, in fewer characters than both have.
  const data = event('one')
  t.equal(match(data.slice(0, data.indexOf('one')) + data.slice(data.indexOf('one') + 4)), undefined)
})

t.test('the place of the text is the right one, also when it stands twice', async (t) => {
  const before = JSON.stringify({ content: 'one', ...chunk({ role: 'one', content: 'one' }) })
  const { match } = taught(before)
  t.equal(match(before), undefined, 'it would be the wrong one')
  const after = event('one', { system_fingerprint: 'one' })
  t.equal(taught(after).match(event('two', { system_fingerprint: 'one' })), 'two')
  const spaced = event('one').replaceAll('":', '": ')
  t.equal(taught(spaced).match(spaced.replace('"one"', '"two"')), 'two')
})

t.test('reasoning is known by its field', async (t) => {
  const data = (text: string) => JSON.stringify(chunk({ content: '', reasoning_content: text }))
  const fastPath = taught(data('one'))
  t.equal(fastPath.match(data('two')), 'two')
  t.equal(fastPath.field, 'reasoning_content')
})

t.test('what never repeats is not learned for ever', async (t) => {
  const fastPath = createDeltaFastPath()
  const teach = (n: number) => {
    const data = event('x', { obfuscation: `random ${n}` })
    fastPath.learn(data, JSON.parse(data).choices[0].delta)
    return data
  }
  t.equal(fastPath.match(teach(0)), 'x')
  for (let n = 1; n <= 8; n++) teach(n)
  t.equal(fastPath.match(teach(9)), undefined)
})
