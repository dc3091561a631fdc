import t from 'tap'
import { isProjectScope, SCOPES } from '../kernel/identity/scopes.ts'
import { harmless } from '../process/terminal.ts'
import { codeOf, Interrupted, lineOf, WrongUsage } from './faults.ts'
import { inShort, show, showOne, when } from './output.ts'

interface Row {
  readonly id: number
  readonly name: string | null
}
const columns = { id: (row: Row) => row.id, 'full name': (row: Row) => row.name }
const rows: Row[] = [
  { id: 1, name: 'Ada\u001b[31m Lovelace\n' },
  { id: 20, name: null }
]

/** What `work` prints. */
function printed(work: () => void): string {
  const { write } = process.stdout
  let text = ''
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += chunk
    return true
  }
  try {
    work()
  } finally {
    process.stdout.write = write
  }
  return text
}

t.test('a table has no borders, no colours, and nothing that would move the cursor', async (t) => {
  t.equal(
    printed(() => show(rows, columns)),
    'id  full name\n1   Ada[31m Lovelace\n20  -\n'
  )
  t.equal(
    printed(() => show([], columns)),
    'id  full name\n'
  )
  t.equal(
    printed(() => showOne(rows[1] as Row, columns)),
    'id         20\nfull name  -\n'
  )
})

t.test('programs get what is there, as it is', async (t) => {
  t.strictSame(JSON.parse(printed(() => show(rows, columns, true))), rows)
  t.strictSame(JSON.parse(printed(() => showOne(rows[0] as Row, columns, true))), rows[0])
})

t.test('words for people', async (t) => {
  t.equal(when('2026-11-21T02:00:55.256Z'), '2026-11-21 02:00:55')
  t.equal(when(null), null)
  t.equal(harmless('a\tb\nc\u0007\u009b'), 'a\tb\nc')
  t.equal(inShort([...SCOPES, 'platform:admin']), 'all platform:admin')
  const narrowed = ['agents:read', 'goals:write']
  t.equal(inShort(narrowed), narrowed.join(' '))
  t.ok(SCOPES.every(isProjectScope))
})

t.test('a failure is one line and a code', async (t) => {
  t.equal(lineOf(new Error('one\n  two\n')), 'one; two')
  t.equal(
    lineOf(Object.assign(new Error('Pack not found'), { requestId: 'req_1' })),
    'Pack not found (req_1)'
  )
  t.equal(lineOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })), 'ECONNREFUSED')
  t.equal(lineOf(new Error('', { cause: new Error('the reason') })), 'the reason')
  t.equal(lineOf('text'), 'text')
  t.equal(codeOf(new Error('x')), 1)
  t.equal(codeOf(new WrongUsage('x')), 2)
  t.equal(codeOf(new Interrupted('x')), 130)
})
