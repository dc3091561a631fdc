// budget: 16 s, because each document costs as much as it may
// tier: long
import t from 'tap'
import { docx, interlaced, paragraph, pdf, png, zip } from '../../../test/file-formats.ts'
import { inShortTurns } from '../../../test/turns.ts'
import { ada, document, extraction } from './testbed.ts'

const service = extraction(t, { seconds: 60 })
type Told = Record<string, unknown>
const told = (work: Promise<object>): Promise<Told> =>
  work.then(
    (it) => ({ ...it }),
    ({ kind, code, message }) => ({ kind, code, message })
  )
const text = (...given: Parameters<typeof document>) => told(service.text(ada, document(...given)))
const preview = (...given: Parameters<typeof document>) => told(service.preview(ada, document(...given)))
const broken = { kind: 'invalid', code: 'document_broken', message: /^The document / }
const large = { kind: 'tooLarge', code: 'document_too_large', message: /^The document / }
const costly = { kind: 'invalid', code: 'document_too_costly', message: /^The document / }

t.test('PDFs that are broken, encrypted, long or giant', async (t) => {
  const file = pdf(['Hello'])
  for (const bad of [
    '',
    '%PDF-1.7\n',
    'PK\x03\x04',
    '<html><script>alert(1)</script>',
    '\xff'.repeat(9_999)
  ]) {
    t.match(await text('a.pdf', bad), broken)
    t.match(await preview('a.pdf', bad), broken)
  }
  for (let cut = 0.05; cut < 1; cut += 0.05) {
    const { text: found, code } = await text('a.pdf', file.subarray(0, Math.floor(file.length * cut)))
    t.ok(found !== undefined || code === 'document_broken', `cut at ${cut.toFixed(2)}: ${code}`)
  }
  const bytes = (letter: string) => letter.repeat(32)
  const locked = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O (${bytes('o')}) /U (${bytes('u')}) >> /ID [(a) (b)]`
  t.match(await text('a.pdf', pdf(['secret'], [612, 792], locked)), { code: 'document_encrypted' })

  const line = `${'some words of text '.repeat(3)}\n`.repeat(25)
  const long = pdf(Array.from({ length: 1_100 }, (_, at) => `Page ${at + 1}\n${line}`))
  const found = (await text('a.pdf', long)) as { pages?: readonly { number: number }[] }
  t.match(found, { pageCount: 1_100, truncated: true })
  t.equal(found.pages?.length, 1_000)
  t.match(await preview('a.pdf', long), { mediaType: 'image/png', pageCount: 1_100 })

  for (const size of [
    [1e6, 1e6],
    [1e9, 1],
    [1e30, 1e30],
    [0.001, 0.001],
    [-5, -5]
  ] as const) {
    const { mediaType, width, height } = await preview('a.pdf', pdf(['x'], size))
    t.equal(mediaType, 'image/png')
    t.ok(Number(width) <= 1_024 && Number(height) <= 1_024, `${size}: ${width} × ${height}`)
  }
  t.match(await preview('a.pdf', pdf([])), broken)
  const both = Buffer.concat([Buffer.from('<html><script>alert(1)</script>'), file])
  t.match(await preview('a.pdf', both), { mediaType: 'image/png' }, 'what else it is makes no difference')
})

t.test('DOCX that is none, unpacks to too much, or names itself', async (t) => {
  const laughs = `<!DOCTYPE l [<!ENTITY l0 "ha">${Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')}]>`
  const outside = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  t.match(await text('a.docx', await docx(paragraph('&l9;'), {}, laughs)), broken)
  t.match(await text('a.docx', await docx(paragraph('&x;'), {}, outside)), broken)
  t.match(await text('a.xml', laughs), { mediaType: 'text/plain', text: laughs })
  t.match(await text('a.docx', await docx(paragraph('x'), { 'a.bin': Buffer.alloc(150_000_000) })), large)
  t.match(await text('a.docx', await docx('', { 'a.xml': '<a/>'.repeat(6_000_000) })), large)
  t.match(await text('a.docx', await zip({ 'a.txt': 'x' })), broken)
  t.match(await text('a.docx', await zip({ 'word/document.xml': 'x' })), broken)
  t.match(await text('a.docx', 'PK'), broken)
  t.match(await text('a.docx', (await docx(paragraph('x'))).subarray(0, 600)), broken)
  const deep = `${'<w:tbl><w:tr><w:tc>'.repeat(20_000)}${'</w:tc></w:tr></w:tbl>'.repeat(20_000)}`
  t.match(await text('a.docx', await docx(deep)), costly)
})

t.test('HTML, Markdown and JSON with a hundred thousand levels', async (t) => {
  t.match(await text('a.html', `${'<div>'.repeat(100_000)}x`), costly)
  t.match(await preview('a.html', `${'<b>'.repeat(100_000)}x`), costly)
  t.match(await preview('a.json', '['.repeat(500_000) + ']'.repeat(500_000)), costly)
  t.match(await preview('a.md', `${'['.repeat(50_000)}x`), { mediaType: 'text/html' })
  t.match(await text('a.html', `${'<div>'.repeat(500)}x`), { text: 'x\n' })
})

t.test('tables with one line of 50 MB, and with five million', async (t) => {
  const size = 50_000_000
  t.match(await text('a.csv', Buffer.alloc(size, 'a')), large)
  t.match(await text('a.csv', Buffer.alloc(size, 'a,')), large)
  t.match(await preview('a.csv', `"${'a,'.repeat(size / 2)}`), large)
  t.match(await text('a.csv', 'a,'.repeat(2_000)), large, 'columns')
  const { text: found, truncated } = await text('a.csv', '1,2\n'.repeat(5_000_000))
  t.equal(truncated, true)
  t.ok(String(found).length <= 4_000_000)
  t.match(await preview('a.csv', '1,2\n'.repeat(5_000_000)), { truncated: true })
})

t.test('images that say more than they hold, hold more than they say, or are none', async (t) => {
  for (const side of [10_000, 60_000])
    t.match(await preview('a.png', png(side, side, Buffer.alloc(100))), large)
  t.match(await preview('a.png', png(2 ** 31 - 1, 2 ** 31 - 1, Buffer.alloc(100))), broken)
  t.match(await preview('a.png', png(100, 100, Buffer.alloc(10))), broken)
  t.match(await preview('a.png', png(7_000, 7_000, Buffer.alloc(7_001 * 7_000))), {
    width: 1_024,
    height: 1_024
  })
  const swollen = await preview('a.png', png(10, 10, Buffer.alloc(100_000_000)))
  t.ok(
    swollen.width === 10 || swollen.code === 'document_broken',
    `no more of it than it says: ${swollen.code}`
  )
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'
  t.match(await preview('a.png', svg, 'image/png'), broken, 'not drawn under another name')
  t.match(await preview('a.svg', svg, 'image/svg+xml'), { mediaType: 'text/plain' }, 'nor under its own')
  t.match(await preview('a.png', pdf(['x']), 'image/png'), broken)

  // As little memory as a process can have: decoded, the bomb takes 144 MB of it.
  const tight = extraction(t, { memoryMegabytes: 700 })
  const image = (bytes: Buffer) =>
    told(tight.image(ada, document('a.png', bytes), { mediaType: 'image/jpeg', side: 64 }))
  t.match(await image(png(60_000, 60_000, Buffer.alloc(100))), large)
  t.match(await image(interlaced(6_000, 6_000)), { code: /^document_(broken|too_costly)$/ })
  const roomy = { mediaType: 'image/jpeg', side: 64 } as const
  t.match(await told(service.image(ada, document('a.png', interlaced(6_000, 6_000)), roomy)), { width: 64 })
  t.match(await image(png(8, 8, Buffer.alloc(72))), { mediaType: 'image/jpeg', width: 8 }, 'the next one')
})

t.test('what has no end is ended, others are answered meanwhile, and the next one as well', async (t) => {
  const hasty = extraction(t, { seconds: 4 })
  const endless = `${'>'.repeat(100_000)}x`
  const begin = () =>
    Promise.all([
      told(hasty.preview(ada, document('a.md', endless))),
      told(hasty.text({ project: 'other', owner: 'eve' }, document('a.txt', 'fine')))
    ])
  t.match(await inShortTurns(t, begin), [costly, { text: 'fine' }])
  t.match(await told(hasty.text(ada, document('a.txt', Buffer.from([1, 0, 2])))), broken)
  t.match(await told(hasty.text(ada, document('a.txt', 'fine'))), { text: 'fine' })
})

t.test('a document is read no further than it may be large, and only so many wait', async (t) => {
  const small = extraction(t, { maxBytes: 1_024 })
  let [parts, isClosed] = [0, false]
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(++parts && 500)
    } finally {
      isClosed = true
    }
  }
  const streamed = { name: 'a.txt', mediaType: 'text/plain', content: endless(), param: '/file' }
  t.match(await told(small.text(ada, streamed)), large)
  t.same([parts, isClosed], [3, true])
  t.match(await told(small.text(ada, document('a.txt', 'x'.repeat(1_025)))), large)
  t.match(await told(small.text(ada, document('a.txt', 'x'.repeat(11)), { bytes: 10 })), large)
  const { param } = await small.text(ada, { ...streamed, content: Buffer.from([0]) }).catch((error) => error)
  t.equal(param, '/file')

  const many = await Promise.all(
    Array.from({ length: 40 }, () => told(small.text(ada, document('a.txt', 'x'))))
  )
  t.same(new Set(many.map(({ kind }) => kind)), new Set([undefined, 'rateLimited']))
  const heavy = Array.from({ length: 6 }, () => text('a.txt', Buffer.alloc(60_000_000, 'a')))
  t.ok(
    (await Promise.all(heavy)).some(({ kind }) => kind === 'rateLimited'),
    'in bytes, too'
  )

  const left = new AbortController()
  const asked = small.text(ada, document('a.txt', 'x'), {}, left.signal)
  left.abort(new Error('the caller has left'))
  t.match(await told(asked), { message: 'the caller has left' })
})
