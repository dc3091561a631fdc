import t from 'tap'
import { readYaml } from './yaml.ts'

t.test('a mapping is read, typed or as text', async (t) => {
  const text = 'name: tea\nsince: 2026-01-01\ncount: 5\nlist: [a, b]\n'
  t.same(await readYaml(text), { name: 'tea', since: '2026-01-01', count: 5, list: ['a', 'b'] })
  t.match(await readYaml(text, 'text'), { count: '5' })
})

const refused: Record<string, [text: string, reason: RegExp]> = {
  'no mapping': ['- a\n- b', /has no names/],
  nothing: ['', /has no names/],
  'what is no YAML': ['a: [', /is no YAML/],
  'a name that is twice there': ['a: 1\na: 2', /is no YAML/],
  aliases: ['a: &x [1]\nb: *x', /has aliases/],
  'a laugh': [
    `a: &a [x,x]\n${[...'bcdefghij'].map((name, at) => `${name}: &${name} [*${'abcdefghi'[at]},*${'abcdefghi'[at]}]`).join('\n')}`,
    /has aliases/
  ],
  'a prototype': ['a: { __proto__: { admin: true } }', /__proto__/],
  depth: [`x: ${'['.repeat(4_000)}`, /nested too deeply/],
  length: ['x: '.padEnd(8_193, 'x'), /longer than 8192/]
}
for (const [name, [text, reason]] of Object.entries(refused))
  t.test(`${name} is refused`, async (t) => {
    await t.rejects(readYaml(text), { message: reason })
  })
