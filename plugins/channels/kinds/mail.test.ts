import t from 'tap'
import { readMail } from './mail.ts'

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

t.test('quotations in a From header, also a long one that does not end', async (t) => {
  const from = (value: string) => sent('Hello', { From: value })
  t.equal((await from('"Bob \\"the cook\\"" <bob@pears.example>'))?.from, 'bob@pears.example')
  t.equal(await from('"Bob" "x <bob@pears.example>'), undefined)
  t.equal(await from(`"${'\\"'.repeat(60_000)} <bob@pears.example>`), undefined)
})
