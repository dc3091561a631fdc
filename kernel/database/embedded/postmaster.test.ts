// process: own
import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { folderFor, pidOf, query, start } from '../../../test/embedded.ts'
import { isServer } from './postmaster.ts'

const noZombies = process.platform !== 'linux' && 'needs /proc'
t.test('starts where the last server is a zombie', { skip: noZombies }, async (t) => {
  const embedded = await start(t, path.join(folderFor(t), 'data'))
  const { where } = embedded
  const [program, ...args] = readFileSync(`/proc/${pidOf(where)}/cmdline`, 'utf8')
    .split('\0')
    .slice(0, -1)
  const { uid, gid } = statSync(where)
  await embedded.leave()

  const account = process.getuid?.() === 0 ? { uid, gid } : {}
  // `sleep` takes the shell's place and never waits for the server, its child.
  const parent = spawn('/bin/sh', ['-c', '"$@" 2>&1 & exec sleep 3600', 'sh', program ?? '', ...args], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore']
  })
  t.teardown(() => parent.kill('SIGKILL'))
  for await (const line of createInterface(parent.stdout)) if (line.includes('ready to accept')) break
  const pid = pidOf(where)
  process.kill(pid, 'SIGKILL')
  const next = await start(t, where)
  t.match(readFileSync(`/proc/${pid}/stat`, 'utf8'), /\) Z /)
  t.equal(next.adopted, false)
  t.same(await query(next, 'select 1 as n'), [{ n: 1 }])
})

t.test('starts where another process got the pid of the last server', async (t) => {
  const embedded = await start(t, path.join(folderFor(t), 'data'))
  const { where } = embedded
  const lock = readFileSync(path.join(where, 'postmaster.pid'), 'utf8')
  await embedded.leave()
  writeFileSync(path.join(where, 'postmaster.pid'), lock.replace(/^\d+/, String(process.pid)))
  t.notOk(isServer(process.pid, where))
  const next = await start(t, where)
  t.equal(next.adopted, false)
  t.same(await query(next, 'select 1 as n'), [{ n: 1 }])
  await next.leave()
})
