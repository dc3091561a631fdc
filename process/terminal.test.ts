import { stripVTControlCharacters } from 'node:util'
import { pino } from 'pino'
import t from 'tap'
import { createLogOptions } from './log.ts'
import { createTerminal } from './terminal.ts'

t.test('a terminal shows what went wrong, and what is new after the start, in words', async (t) => {
  let shown = ''
  const terminal = createTerminal((text) => {
    shown += stripVTControlCharacters(text)
  })
  const log = pino(createLogOptions('info'), terminal)
  const next = () => {
    const text = shown
    shown = ''
    return text
  }
  log.info({ pack: 'agents' }, 'Migration applied')
  t.equal(next(), '')
  log.warn({ reason: 'it is away' }, 'not yet')
  t.equal(next(), 'warning: not yet: it is away\n')
  log.warn({ err: Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }) }, 'not yet')
  t.equal(next(), 'warning: not yet: ECONNREFUSED\n')

  terminal.settle()
  log.info({ pack: 'goals' }, 'reloaded')
  log.info({ status: 200 }, 'request')
  t.equal(next(), 'goals: reloaded\n')
  log.error({ err: new Error('Bearer ap_live_hush broke') }, 'request failed')
  const [first, second] = next().split('\n')
  t.equal(first, 'error: request failed: Bearer [redacted] broke')
  t.match(second, /^\s+at .*terminal\.test\.ts/)
})

t.test('what others wrote does not move the cursor, nor forge a line', (t) => {
  let shown = ''
  const terminal = createTerminal((text) => void (shown += text))
  terminal.write(JSON.stringify({ level: 40, msg: 'x', reason: '\u001b]0;pwn\u0007\u001b[2Jfake\nis ready' }))
  t.match(shown, /x: \]0;pwn\[2Jfake is ready\n$/)
  t.equal(shown.split('\n').length, 2)
  t.end()
})
