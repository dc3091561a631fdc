import t from 'tap'
import { analyse } from '../../text/analysis.ts'

async function of(text: string) {
  const analysis = await analyse(text, 'text/markdown')
  return { ...analysis, links: analysis.links('guides/page.md') }
}

t.test('links are found where they stand, and not in code', async (t) => {
  const text = [
    '---',
    'title: A page',
    'tags: [One, two]',
    'aliases: Other, Third',
    '---',
    '# First',
    'See [[Setup]], [[Set up|that]] and [[guides/Linux.md#Disks|disks]] #three.',
    '`[[code]] #no` \\[[no]] [[#Here]]',
    '',
    '```',
    '[[fenced]] #nor',
    '```',
    '',
    '[up](../top.md#a) [abs](/deep/x%20y.md) [web](https://x.org/a.md#tag) [mail](mailto:a@b.c) ![[Embedded]]',
    '[out](../../../x.md) [image](a.png) [same](#here) <b title="#no">[[html]]</b>'
  ].join('\n')
  const { title, tags, aliases, links } = await of(text)
  t.equal(title, 'A page')
  t.same(tags, ['one', 'three', 'two'])
  t.same(aliases, ['Other', 'Third'])
  t.same(
    links.map(({ kind, target, heading, label }) => [kind, target, heading, label]),
    [
      ['wiki', 'setup', null, 'Setup'],
      ['wiki', 'set up', null, 'that'],
      ['wiki', 'guides/linux', 'Disks', 'disks'],
      ['path', 'top', 'a', 'up'],
      ['path', 'deep/x y', null, 'abs'],
      ['wiki', 'embedded', null, 'Embedded'],
      ['wiki', 'html', null, 'html']
    ]
  )
  for (const { kind, start, end } of links)
    t.match(text.slice(start, end), kind === 'wiki' ? /^\[\[.*\]\]$/ : /^\[.*\)$/)
})

t.test('what is cut for the parser has the positions of the whole', async (t) => {
  const section = (n: number) => `## Part ${n}\n\n${'Some words 🙂 go here. '.repeat(30)}[[Page ${n}]]\n\n`
  const text = Array.from({ length: 60 }, (_, n) => section(n)).join('')
  const { links, passages } = await of(text)
  t.equal(links.length, 60)
  for (const [n, { start, end }] of links.entries()) t.equal(text.slice(start, end), `[[Page ${n}]]`)
  t.equal(passages.length, 60, 'a passage for each section')
  for (const [n, { heading, start, end }] of passages.entries()) {
    t.equal(heading, `Part ${n}`)
    t.ok(text.slice(start, end).startsWith(`## Part ${n}\n`))
  }
})

t.test('passages cover a text, are not too long, and overlap within a section', async (t) => {
  const words = Array.from({ length: 3_000 }, (_, n) => `word${n}${n % 12 === 11 ? '.' : ''}`).join(' ')
  for (const [mediaType, text] of [
    ['text/markdown', `# Top\n\n## Under\n\n${words}\n`],
    ['text/plain', words],
    ['text/plain', 'x'.repeat(10_000)]
  ] as const) {
    const { passages } = await analyse(text, mediaType)
    let covered = 0
    for (const [n, { start, end }] of passages.entries()) {
      t.ok(end - start <= 2_000, `${end - start} characters`)
      t.equal(text.slice(covered, start).trim(), '', 'nothing is left out')
      if (n > 0 && text.includes(' ')) t.ok(start < covered, 'overlaps the one before')
      covered = end
    }
    t.equal(text.slice(covered).trim(), '')
  }
})

t.test('short sections stand together, under the heading of the first', async (t) => {
  const { passages } = await of('# A\n\none\n\n## B\n\ntwo\n\n# C\n\nthree')
  t.match(passages, [{ heading: 'A', start: 0 }])
  t.equal(passages.length, 1)
  t.same((await of('')).passages, [])
  t.same((await of(' \n\n ')).passages, [])
})

t.test('what would take a parser long is read all the same', async (t) => {
  for (const text of [
    '>'.repeat(50_000),
    '- '.repeat(20_000),
    `${'-  '.repeat(39)}x`,
    `${'-'.padEnd(2_000)}x\n`.repeat(20),
    `${'*'.repeat(399)} x`,
    '['.repeat(50_000),
    '*a_'.repeat(20_000),
    '[[a]]'.repeat(20_000),
    '`'.repeat(50_000),
    '<'.repeat(50_000),
    '#'.repeat(50_000),
    '|a'.repeat(20_000),
    `---\n${'a: &a [*a]\n'.repeat(1_000)}\n---\nText`,
    '\t'.repeat(50_000),
    '![](a'.repeat(10_000),
    '&'.repeat(50_000)
  ]) {
    const before = process.cpuUsage()
    await of(text)
    const { user } = process.cpuUsage(before)
    t.ok(user < 10_000_000, `${text.slice(0, 5)}: ${user / 1000} ms`)
  }
})
