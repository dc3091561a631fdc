import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { root } from '../kernel/deployment.ts'

/** A process that is watched for two seconds of silence, and does that. */
async function watched(work: string) {
  const text = `import { watchLoop } from './process/watchdog.ts'; watchLoop(2); ${work}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    cwd: root,
    env: {},
    timeout: 60_000
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const [code, signal] = await once(child, 'close')
  return { code, signal, out }
}

t.test('a process that hangs is ended, and says why', async (t) => {
  const { signal, out } = await watched('setTimeout(() => { for (;;); }, 100)')
  t.equal(signal, 'SIGKILL')
  t.match(JSON.parse(out), { level: 60, msg: 'hangs: ended', seconds: 2 })
})

t.test('one that turns is not, and is kept from no end', async (t) => {
  t.match(await watched('setTimeout(() => {}, 3_500)'), { code: 0, out: '' })
})
