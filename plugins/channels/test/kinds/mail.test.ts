import t from 'tap'
import { readMail } from '../../kinds/mail.ts'

const reader = { address: 'agent@example.com', verifier: 'mx.example.com' }
const sent = (body: string, fields: Readonly<Record<string, string>> = {}) => {
  const all = {
    'Authentication-Results': 'mx.example.com; dmarc=pass header.from=pears.example',
    From: 'Bob <bob@pears.example>',
    'Message-ID': '<1@pears.example>',
    'MIME-Version': '1.0',
    ...fields
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return readMail(Buffer.from(`${head.join('')}\r\n${body}`), reader)
}
const html = { 'Content-Type': 'text/html; charset=utf-8' }
const both = { 'Content-Type': 'multipart/alternative; boundary=b' }
const parts = (plain: string, marked: string) =>
  `--b\r\nContent-Type: text/plain\r\n\r\n${plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n${marked}\r\n--b--\r\n`

t.test('converts an email that has only HTML to text', async (t) => {
  const page =
    '<html><head><title>Mail</title><style>p { color: red }</style><script>alert(1)</script></head><body><!-- x -->' +
    '<p>Is the <b>shop</b> open?</p><ul><li>Tea &amp; cake</li></ul><a href="https://pears.example/menu">Menu</a></body></html>'
  t.equal(
    (await sent(page, html))?.text,
    'Is the shop open?\n\n- Tea & cake\n\nMenu (https://pears.example/menu)'
  )
  t.equal((await sent(parts(' \r\n', '<p>Only here</p>'), both))?.text, 'Only here')
  t.equal((await sent(parts('Plain', '<p>Marked</p>'), both))?.text, 'Plain', 'plain text comes first')
  t.equal(await sent('<p> </p><img src="https://pears.example/1.png">', html), undefined, 'nothing is said')
})

t.test('removes the quoted message from an HTML email', async (t) => {
  const quoted =
    '<div>Yes, please</div><div class="gmail_quote"><div>On Mon, 23 Nov 2026 at 10:00, Agent wrote:</div><blockquote>Tea?</blockquote></div>'
  t.equal((await sent(quoted, html))?.text, 'Yes, please')
  const named =
    '<p>Yes</p><p>On Mon, 23 Nov 2026 at 10:00, Agent wrote:</p><blockquote type="cite">Tea?</blockquote>'
  t.equal((await sent(named, html))?.text, 'Yes')
  t.equal(
    (await sent('<blockquote>Tea?</blockquote><p>Yes</p>', html))?.text,
    'Tea?\n\nYes',
    'below a quotation'
  )
})

t.test('parses quoted names in a From header, and a long unterminated one in linear time', async (t) => {
  const from = (value: string) => sent('Hello', { From: value })
  t.equal((await from('"Bob \\"the cook\\"" <bob@pears.example>'))?.from, 'bob@pears.example')
  t.equal(await from('"Bob" "x <bob@pears.example>'), undefined)
  t.equal(await from(`"${'\\"'.repeat(60_000)} <bob@pears.example>`), undefined)
})
