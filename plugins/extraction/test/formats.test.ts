// budget: 12 s, because processes read documents
import sharp from 'sharp'
import t from 'tap'
import { docx, paragraph, pdf } from '../../../test/file-formats.ts'
import { ada, document, extraction } from './testbed.ts'

const service = extraction(t)
const text = (...given: Parameters<typeof document>) => service.text(ada, document(...given))
const preview = async (...given: Parameters<typeof document>) => {
  const { body, ...known } = await service.preview(ada, document(...given))
  return { ...known, body: Buffer.from(body).toString() }
}

t.test('text is read in the charset that it has', async (t) => {
  const umlauts = 'Grüße aus Köln'
  const whole = { text: umlauts, mediaType: 'text/plain', truncated: false, warnings: [] }
  t.same(await text('a.txt', umlauts), whole)
  t.same(await text('a.txt', `\ufeff${umlauts}`), whole)
  t.same(await text('a.txt', Buffer.from(`\ufeff${umlauts}`, 'utf16le')), whole)
  t.same(await text('a.txt', Buffer.from(`\ufeff${umlauts}`, 'utf16le').swap16()), whole)
  t.match(await text('a.txt', Buffer.from(umlauts, 'latin1')), { text: umlauts, warnings: [/windows-1252/] })
  const greek = Buffer.from([0xe1, 0xe2, 0xe3])
  t.match(await text('a', greek, 'text/plain; charset="ISO-8859-7"'), { text: 'αβγ', warnings: [] })
  t.match(await text('a', 'x = 1', 'text/x-python'), { text: 'x = 1', mediaType: 'text/plain' })
  t.equal((await text('a.txt', 'a\r\nb\x07\ud800')).text, 'a\nb\ufffd')
  t.match(await preview('a.txt', '<b>x</b>'), { mediaType: 'text/plain', body: '<b>x</b>', truncated: false })
})

/** Texts in the encodings of their countries, as bytes in base64. */
const legacy = [
  [
    'gb18030',
    '1LG5pMrWsuGjurGoz/q1pbHY0OvU2sj9yq7M7MTazOG9u7j4ssbO8bK/o6zT4sbasrvT6MrcwO2how==',
    '员工手册：报销单必须在三十天内提交给财务部，逾期不予受理。'
  ],
  [
    'big5',
    'rfukdaTipVWhR7P4vlCz5qWytremYqRUpFGk0aS6tKOl5rW5sF2wyLOhoUG5T7TBpKOkqaj8snqhQw==',
    '員工手冊：報銷單必須在三十天內提交給財務部，逾期不予受理。'
  ],
  ['shift_jis', 'l7eU74LNjk+PXJP6iMiT4ILJkL+LgYK1gsSCrYK+grOCooFC', '旅費は三十日以内に請求してください。'],
  ['euc-jp', 'zrnI8aTPu7C9vcb8sMrG4qTLwMG14aS3pMakr6TApLWkpKGj', '旅費は三十日以内に請求してください。'],
  [
    'iso-2022-jp',
    'GyRCTjlIcSRPOzA9PUZ8MEpGYiRLQEE1YSQ3JEYkLyRAJDUkJCEjGyhC',
    '旅費は三十日以内に請求してください。'
  ],
  [
    'euc-kr',
    'w+LA5brxtMIgu++9ysDPIMDMs7u/oSDBpsPix9i+3yDH1bTPtNku',
    '출장비는 삼십일 이내에 제출해야 합니다.'
  ],
  [
    'windows-1251',
    '0ODx9e7k+yDt4CDv7uXn5OroIO/u5OD+8vH/IOIg8uX35e3o5SDy8Ojk9uDy6CDk7eXpLg==',
    'Расходы на поездки подаются в течение тридцати дней.'
  ],
  [
    'koi8-r',
    '8sHTyM/E2SDOwSDQz8XaxMvJINDPxMHA1NPRINcg1MXexc7JxSDU0snEw8HUySDEzsXKLg==',
    'Расходы на поездки подаются в течение тридцати дней.'
  ],
  [
    'ibm866',
    'kKDh5a6k6yCtoCCvrqWnpKqoIK+upKDu4uHvIKIg4qXnpa2opSDi4Kik5qDiqCCkraWpLg==',
    'Расходы на поездки подаются в течение тридцати дней.'
  ],
  [
    'windows-1253',
    '1OEg3e7v5OEg9OHu6eTp7/0g8PHd8OXpIO3hIPXw7+Lr5+jv/e0g5e30/PIg9PHp3O304SDn7OXx/u0u',
    'Τα έξοδα ταξιδιού πρέπει να υποβληθούν εντός τριάντα ημερών.'
  ],
  [
    'windows-1250',
    'S29zenR5IHBvZHLzv3kgbmFsZb95IHqzb7955iB3IGNpuWd1IHRyenlkemllc3R1IGRuaS4=',
    'Koszty podróży należy złożyć w ciągu trzydziestu dni.'
  ],
  [
    'windows-1254',
    'U2V5YWhhdCBnaWRlcmxlcmkgb3R1eiBn/G4gaedpbmRlIHN1bnVsbWFs/WT9ciwg52Fs/f5hbmxhciB2ZSBt/P50ZXJpbGVyIGnnaW4u',
    'Seyahat giderleri otuz gün içinde sunulmalıdır, çalışanlar ve müşteriler için.'
  ],
  [
    'windows-1255',
    '5OX24OX6IPDx6fLkIOn5IOzk4un5IPrl6iD57OX56e0g6eXtLg==',
    'הוצאות נסיעה יש להגיש תוך שלושים יום.'
  ],
  [
    'windows-1256',
    '7czIIMrez+3jIOPVx9Ht3SDH4dPd0SDO4cfhIMvhx8vt5CDt5uPHLg==',
    'يجب تقديم مصاريف السفر خلال ثلاثين يوما.'
  ],
  [
    'windows-874',
    'pOjS46rpqOjSwuO5odLD4LTUubfSp7XpzafK6KfA0sLjucrSwcrUusfRuQ==',
    'ค่าใช้จ่ายในการเดินทางต้องส่งภายในสามสิบวัน'
  ],
  [
    'macintosh',
    'TGVzIGZyYWlzIGRlIGSOcGxhY2VtZW50IGRvaXZlbnQgkHRyZSBkjmNsYXKOcyCIIHRlbXBzLg==',
    'Les frais de déplacement doivent être déclarés à temps.'
  ],
  [
    'windows-1252',
    'UmVpc2Vrb3N0ZW4gk238c3NlbpQgaW5uZXJoYWxiIHZvbiBkcmVp32lnIFRhZ2VuIJYgNSBtsiBm/HIgMjAggC4=',
    'Reisekosten “müssen” innerhalb von dreißig Tagen – 5 m² für 20 €.'
  ],
  [
    'utf-16le',
    'WFTlXUtijFEsACAAUgBlAGkAcwBlAGsAbwBzAHQAZQBuACAAbQD8AHMAcwBlAG4A',
    '员工手册, Reisekosten müssen'
  ],
  ['utf-16be', 'BCAEMARBBEUEPgQ0BEsAIAQ9BDAAIAQ/BD4ENQQ3BDQEOgQ4', 'Расходы на поездки']
] as const

t.test('detects the encoding of text that declares none', async (t) => {
  for (const [encoding, base64, expected] of legacy)
    for (const name of ['a.txt', 'a.md']) {
      const found = await text(name, Buffer.from(base64, 'base64'))
      t.ok(found.text.includes(expected), `${encoding}, ${name}: ${found.text}`)
    }
  const rows = `id;name\n${'1;plain\n'.repeat(20_000)}`
  const late = Buffer.concat([Buffer.from(rows), Buffer.from('2;Müller aus Köln\n', 'latin1')])
  t.match((await text('a.csv', late)).text, 'Müller aus Köln', 'also where only its last line tells')
})

t.test('uses a declared encoding unless the bytes contradict it', async (t) => {
  const [, shiftJis, japanese] = legacy[2]
  const bytes = Buffer.from(shiftJis, 'base64')
  const html = (charset: string, body: Buffer) =>
    text('a.html', Buffer.concat([Buffer.from(`<meta charset="${charset}"><p>`), body]))
  t.match(await html('shift_jis', bytes), { text: `${japanese}\n`, warnings: [] })
  t.match(await html('iso-8859-1', bytes), { text: `${japanese}\n`, warnings: [/shift_jis/] })
  t.match(await html('iso-8859-1', Buffer.from('Köln 東京')), { text: 'Köln 東京\n', warnings: [] })
  t.match(await html('utf-16', Buffer.from('plain')), { text: 'plain\n', warnings: [] })
  t.match(await html('no-such', Buffer.from('Köln', 'latin1')), { text: 'Köln\n' })
  const xml = Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>\xc4\xe0</a>', 'latin1')
  t.match((await text('a.xml', xml)).text, '<a>Да</a>')
})

t.test('rejects bytes that are not text in any known encoding', async (t) => {
  const unknown = { code: 'encoding_unknown', message: /unknown character encoding/ }
  const noise = Buffer.from(Array.from({ length: 3_000 }, (_, at) => 1 + ((at * 7_919 + at * at) % 255)))
  await t.rejects(text('a.txt', noise), unknown)
  await t.rejects(text('a.md', noise), unknown)
  // What DOS wrote is in no browser, and so short a text may be Chinese, Japanese or Korean.
  await t.rejects(
    text('a.csv', Buffer.from('M\x81ller;Z\x81rich\nLef\x8avre;Orl\x82ans\n', 'latin1')),
    unknown
  )
  await t.rejects(text('a.txt', Buffer.from([0xc7, 0xd1, 0xb1, 0xb9, 0xbe, 0xee])), unknown)
  await t.rejects(text('a.txt', Buffer.from([0xff, 0xfe, 0xfd])), unknown)
})

t.test('Markdown is shown without what a browser would run or load', async (t) => {
  const source = [
    '---\ntitle: "Our plan"\n---\n# First\n',
    '**bold** ~~gone~~ <script>alert(1)</script> <img src="http://x/1.png">',
    '![a map](http://x/2.png) [bad](javascript:alert(1)) [good](https://example.org)',
    '| a | b |\n|---|---|\n| 1 | 2 |'
  ].join('\n\n')
  t.same(await text('plan.md', source), {
    text: source,
    mediaType: 'text/markdown',
    title: 'Our plan',
    truncated: false,
    warnings: []
  })
  const titles: [string, string | undefined][] = [
    ['text\n# A plan ##\n# Other', 'A plan'],
    ['---\ntitle: It’s "so"\n---\n', 'It’s "so"'],
    ['---\ntitle: ""\n---\n# Plan', 'Plan'],
    ['#\n## Second', undefined],
    [`# a${' #'.repeat(6_000)}x`, `a${' #'.repeat(249)}`],
    [`---\ntitle:${' '.repeat(19_000)}${'x'.repeat(600)}\n---\n`, 'x'.repeat(500)]
  ]
  for (const [source, title] of titles) t.equal((await text('plan.md', source)).title, title)
  const shown = await preview('plan.md', source)
  t.match(shown, { mediaType: 'text/html', title: 'Our plan' })
  t.match(shown.body, '<strong>bold</strong> <del>gone</del>')
  t.match(shown.body, '<td>1</td>')
  t.match(shown.body, '[a map]')
  t.match(
    shown.body,
    '<a href="https://example.org" rel="noopener noreferrer nofollow" target="_blank">good</a>'
  )
  t.notMatch(shown.body, /script|<img|x\/1\.png|x\/2\.png|title:/)
})

t.test('HTML becomes Markdown, and a fragment that does nothing', async (t) => {
  const source = `<!doctype html><html><head><title>Our <b>page</title><style>p { color: red }</style>
    <meta http-equiv="refresh" content="0; url=http://evil"><script>alert(1)</script></head>
    <body onload="alert(2)"><h1>Heading</h1><p onclick="alert(3)" style="position:fixed">Text with <a href="javascript:alert(4)">a
    link</a> and <a href="https://example.org/x" target="top">another</a>.</p><ul><li>one<li>two</ul>
    <iframe src="http://evil"></iframe><svg onload="alert(5)"><text>drawn</text></svg><form action="http://evil"><input name="q"></form>
    <img src="http://evil/pixel.png" alt="a cat"><table><tr><th>k</th></tr><tr><td>v</td></tr></table></body></html>`
  const found = await text('a.html', source)
  t.match(found, { mediaType: 'text/markdown', title: 'Our <b>page', truncated: false })
  t.match(found.text, '# Heading')
  t.match(found.text, /\* one\n\* two/)
  t.match(found.text, '[another](https://example.org/x)')
  t.match(found.text, '\\[a cat]')
  t.match(found.text, /\| k +\|\n\| -+ \|\n\| v +\|/)
  t.notMatch(found.text, /alert|evil|color|drawn/)
  const shown = await preview('a.html', source)
  t.match(shown.body, '<h1>Heading</h1>')
  t.notMatch(shown.body, /alert|evil|color|drawn|style=|onclick|<form|<input|<iframe/)
  const latin = Buffer.from('<meta charset=iso-8859-1><p>Köln', 'latin1')
  t.match(await text('a.html', latin), { text: 'Köln\n', warnings: [] })
})

t.test('keeps superscripts and subscripts distinct from plain digits', async (t) => {
  const cases: Readonly<Record<string, string>> = {
    '10<sup>6</sup> kg, 2<sup>10</sup>, 10<sup>−3</sup>, 5 m<sup>2</sup>': '10⁶ kg, 2¹⁰, 10⁻³, 5 m²',
    'x<sup>n+1</sup>, 10<sup>2.5</sup>, x<sup>n/2</sup>, <i>e</i><sup>x<sup>2</sup></sup>':
      'xⁿ⁺¹, 10^2.5, x^(n/2), *e*^x²',
    '45<sup>3</sup> euros, a word<sup>1,2</sup> and<sup>*</sup>': '45³ euros, a word\\[1,2] and\\*',
    'said<sup><a href="#fn3">3</a></sup>, told<sup><a href="#c">[4]</a></sup>': 'said\\[3], told\\[4]',
    'the 1<sup>st</sup>, 2<sup>nd</sup>, XIX<sup>e</sup>, Acme<sup>TM</sup>': 'the 1st, 2nd, XIXᵉ, Acme™',
    'H<sub>2</sub>O, log<sub>2</sub>8, x<sub>max</sub>, SO<sub>4</sub><sup>2−</sup>':
      'H₂O, log₂8, x_max, SO₄²⁻',
    '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>': '漢(かん)字(じ)',
    '<math><semantics><mrow><msup><mn>10</mn><mn>6</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></mrow><annotation>x</annotation></semantics></math>':
      '10⁶=(a+b)/2',
    '<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><msqrt><mi>y</mi><mo>+</mo><mn>1</mn></msqrt></math>':
      'x₁²√(y+1)'
  }
  for (const [html, expected] of Object.entries(cases))
    t.equal((await text('a.html', `<p>${html}</p>`)).text, `${expected}\n`)
  const raised = (value: string) =>
    `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${value}</w:t></w:r>`
  const file = await docx(
    `<w:p><w:r><w:t>It weighs 10</w:t></w:r>${raised('6')}<w:r><w:t xml:space="preserve"> kg</w:t></w:r></w:p>`
  )
  t.equal((await text('a.docx', file)).text, 'It weighs 10⁶ kg\n')
  t.match((await preview('a.html', '10<sup>6</sup>')).body, '10<sup>6</sup>', 'a preview has the element')
})

t.test('reads raised and lowered digits of a PDF as superscripts and subscripts', async (t) => {
  const levels = (parts: readonly (readonly [string, number])[]) =>
    parts.map(([it, rise]) => `/F1 ${rise === 0 ? 24 : 14} Tf ${rise} Ts (${it}) Tj`).join(' ')
  const shown = levels([
    ['It weighs 10', 0],
    ['6', 8],
    [' kg and 45', 0],
    ['3', 8],
    [' euros. H', 0],
    ['2', -5],
    ['O; x', 0],
    ['-12', 8],
    [' of 12345', 0]
  ])
  const { text: found } = await text('a.pdf', pdf([{ drawn: shown }]))
  t.equal(found, 'It weighs 10⁶ kg and 45³ euros. H₂O; x⁻¹² of 12345')
})

t.test('separates HTML blocks, and leaves out hidden elements', async (t) => {
  const blocks =
    '<header>Acme Ltd</header><nav>Home</nav><main>Open</main><aside>Closed</aside><figure><figcaption>Shop</figcaption></figure><label>Name</label><button>Send</button>'
  t.equal((await text('a.html', blocks)).text, 'Acme Ltd\n\nHome\n\nOpen\n\nClosed\n\nShop\n\nName\n\nSend\n')
  const hidden =
    '<p>Prices</p><div style="color: red; display : none !important">SECRET</div><p hidden>SECRET</p><i style="font-size:0">SECRET</i><input type=hidden value=SECRET>'
  t.equal((await text('a.html', hidden)).text, 'Prices\n')
  t.notMatch((await preview('a.html', hidden)).body, /SECRET/)
  const table = '<table><caption>Fees</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>'
  t.match((await text('a.html', table)).text, /^Fees\n\n\| a \|/)
})

t.test('tables and JSON', async (t) => {
  const csv = 'name;note\nAda;"two\nlines, a | pipe"\nBob;<b>x</b>\n'
  t.match(await text('a.csv', csv), {
    text: '| name | note |\n| --- | --- |\n| Ada | two lines, a \\| pipe |\n| Bob | <b>x</b> |',
    mediaType: 'text/markdown',
    truncated: false
  })
  const shown = await preview('a.csv', csv)
  t.match(shown, { mediaType: 'text/html', truncated: false })
  t.match(shown.body, '<thead><tr><th>name</th><th>note</th></tr></thead>')
  t.match(shown.body, '<td>&lt;b&gt;x&lt;/b&gt;</td>')
  const long = `a,b\n${'1,2\n'.repeat(5_000)}`
  t.match(await preview('a.csv', long), { truncated: true })
  t.equal((await text('a.csv', long)).text.split('\n').length, 5_002)
  t.match(await text('a.json', '{"a":1}'), { text: '{"a":1}', warnings: [] })
  t.match(await text('a.json', '{"a":1'), { warnings: ['It is no valid JSON'] })
  t.match(await preview('a.json', '{"a":1}'), { mediaType: 'text/plain', body: '{\n  "a": 1\n}' })
})

t.test('a PDF is read page by page, so that a passage can name its page', async (t) => {
  const file = pdf(['Page one\nhas two lines', '', 'Third (last) page'])
  const found = await text('a.pdf', file)
  t.match(found, {
    mediaType: 'text/plain',
    pageCount: 3,
    truncated: false,
    warnings: ['Pages without text: 2']
  })
  t.same(
    found.pages?.map(({ number, start, end }) => [number, found.text.slice(start, end)]),
    [
      [1, 'Page one\nhas two lines'],
      [2, ''],
      [3, 'Third (last) page']
    ]
  )
  const part = await service.text(ada, document('a.pdf', file), { pages: 1 })
  t.match(part, { pageCount: 3, truncated: true, text: 'Page one\nhas two lines' })
  const cut = await service.text(ada, document('a.pdf', file), { characters: 4 })
  t.match(cut, { text: 'Page', truncated: true, pages: [{ number: 1, start: 0, end: 4 }] })
  const { body, ...shown } = await service.preview(ada, document('a.pdf', file))
  t.match(shown, { mediaType: 'image/png', width: 791, height: 1_024, pageCount: 3, truncated: true })
  t.match(await sharp(body).metadata(), { format: 'png', width: 791, height: 1_024 })
  const { channels } = await sharp(body).stats()
  t.ok((channels[0]?.min ?? 255) < 64, 'there is something to be seen')
})

t.test('a DOCX becomes Markdown', async (t) => {
  const file = await docx(paragraph('Terms', 'Heading1') + paragraph('Pay &lt;now&gt;.'))
  t.match(await text('a.docx', file), {
    text: '# Terms\n\nPay \\<now>.\n',
    title: 'Q&A',
    mediaType: 'text/markdown'
  })
  t.match(await preview('a.docx', file), { body: '<h1>Terms</h1><p>Pay &#x3C;now>.</p>', title: 'Q&A' })
})

t.test('an image is encoded anew, smaller and without what it tells of its maker', async (t) => {
  const pixels = { create: { width: 3_000, height: 1_500, channels: 3, background: 'red' } } as const
  const photo = await sharp(pixels)
    .jpeg()
    .withExif({ IFD0: { Artist: 'Ada', Copyright: 'secret' } })
    .toBuffer()
  const turned = await sharp(photo).withMetadata({ orientation: 6 }).toBuffer()
  t.ok((await sharp(photo).metadata()).exif, 'it had some')
  const { body, ...shown } = await service.preview(ada, document('a.jpg', turned, 'image/jpeg'))
  t.match(shown, { mediaType: 'image/webp', width: 512, height: 1_024, truncated: false })
  const { format, exif, icc, xmp } = await sharp(body).metadata()
  t.same([format, exif, icc, xmp], ['webp', undefined, undefined, undefined])

  const frames = await sharp(
    [1, 2, 3].map(
      (it) =>
        ({ create: { width: 20, height: 20, channels: 3, background: { r: it * 80, g: 0, b: 0 } } }) as never
    ),
    { join: { animated: true } }
  )
    .gif()
    .toBuffer()
  const square = { mediaType: 'image/webp', side: 64, isSquare: true } as const
  const avatar = await service.image(ada, document('a.jpg', turned), square)
  t.match(await sharp(avatar.body).metadata(), { format: 'webp', width: 64, height: 64, exif: undefined })
  const clear = { create: { width: 90, height: 30, channels: 4, background: '#0000' } } as const
  const seen = { mediaType: 'image/jpeg', side: 9_999 } as const
  const whole = await service.image(ada, document('a.png', await sharp(clear).png().toBuffer()), seen)
  t.match(whole, { mediaType: 'image/jpeg', width: 90, height: 30 }, 'no larger than it is')
  t.match(await sharp(whole.body).stats(), { dominant: { r: 248, g: 248, b: 248 } }, 'on white')
  const large = await service.image(ada, document('a.jpg', turned), seen)
  t.same([large.width, large.height], [512, 1_024], 'no larger than a preview')
  await t.rejects(service.image(ada, document('a.txt', 'no image'), seen), { code: 'format_unsupported' })

  const first = await service.preview(ada, document('a.gif', frames))
  t.match(first, { width: 20, height: 20, pageCount: 3, truncated: true })
  t.equal((await sharp(first.body).metadata()).pages, undefined)
  await t.rejects(text('a.gif', frames), { code: 'format_unsupported' })
})

t.test('formats are known by media type, else by name', async (t) => {
  const given = (name: string, mediaType: string) => service.reads({ name, mediaType })
  t.same(given('a.bin', 'application/octet-stream'), { text: false, preview: false, image: false })
  t.same(given('a.PDF', 'application/octet-stream'), { text: true, preview: true, image: false })
  t.same(given('a.bin', 'Application/PDF; x=y'), { text: true, preview: true, image: false })
  t.same(given('a.pdf', 'application/zip'), { text: false, preview: false, image: false })
  t.same(given('a.png', ''), { text: false, preview: true, image: true })
  await t.rejects(text('a.bin', 'x'), { kind: 'unsupportedMedia', code: 'format_unsupported' } as never)
})
