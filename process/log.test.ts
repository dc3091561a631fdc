import { pino } from 'pino'
import t from 'tap'
import { makeKey } from '../kernel/identity/keys.ts'
import { createLogOptions } from './log.ts'

t.test('no credential in the message of an error', async (t) => {
  const lines: string[] = []
  const log = pino(createLogOptions('info'), { write: (line: string) => void lines.push(line) })
  const keys = (['ap_live_', 'ap_test_', 'apk_', 'apt_'] as const).map((mark) => makeKey(mark).key)
  const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.c2ln-bmF0dXJl'
  const narrowed = `apn_${'Ab-_'.repeat(11)}.e30.${'x'.repeat(43)}.${'y'.repeat(86)}.k${'z'.repeat(43)}`
  for (const secret of [...keys, token, narrowed]) {
    log.error({ err: new Error(`refused ${secret} here`) }, 'failed')
    log.error({ err: new Error('outer', { cause: new Error(`it was ${secret}`) }) }, 'failed')
  }
  t.equal(lines.length, 12)
  for (const secret of [...keys, token, narrowed])
    t.notOk(lines.join('').includes(secret.slice(-20)), secret.slice(0, 8))
})
