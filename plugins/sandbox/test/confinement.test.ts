// budget: 6 s, because processes are started
import { accessSync, constants, existsSync, readFileSync, readlinkSync } from 'node:fs'
import { canBeOffline } from 'agent-platform'
import t from 'tap'
import { sandbox } from './testbed.ts'

const shared = sandbox(t)

t.test('a process is nobody, without an environment', { skip: process.platform !== 'linux' }, async (t) => {
  const { go, pool } = await shared
  await go('return 1')
  const [{ pid } = { pid: 0 }] = pool.readings().processes
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, ids = ''] = /^Uid:\s+(.*)$/m.exec(status) ?? []
  const own = String(process.getuid?.())
  const uids = ids.split(/\s+/)
  t.equal(uids.length, 4)
  t.ok(own === '0' ? uids.every((uid) => uid !== '0') : uids.every((uid) => uid === own))
  if (own === '0') t.match(status, /^CapEff:\s+0+$/m)
  const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .map((it) => it.split('=')[0])
  t.same(
    names.filter((name) => name && !/^(MALLOC_ARENA_MAX|UV_THREADPOOL_SIZE|PWD|NODE_CHANNEL.*)$/.test(name)),
    []
  )
})

const canBe = await canBeOffline()
t.test(
  'a process has no network',
  { skip: !canBe && 'this system gives no namespace without a network' },
  async (t) => {
    const { go, pool } = await shared
    await go('return 1')
    const [{ pid, isOffline } = { pid: 0, isOffline: false }] = pool.readings().processes
    t.equal(isOffline, true)
    t.not(readlinkSync(`/proc/${pid}/ns/net`), readlinkSync('/proc/self/ns/net'))
    const routes = readFileSync(`/proc/${pid}/net/route`, 'utf8').trim().split('\n').slice(1)
    t.same(routes, [], 'nor a way to any')
  }
)

const groupOf = (pid: number) => {
  const [, path] = /^\d+:memory:(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8')) ?? []
  return path === undefined ? undefined : `/sys/fs/cgroup/memory${path}`
}
const mayMakeGroups = () => {
  try {
    accessSync(groupOf(process.pid) ?? '', constants.W_OK)
    return true
  } catch {
    return false
  }
}

t.test('a process has a cgroup of its own, which goes with it', { skip: !mayMakeGroups() }, async (t) => {
  const { go, pool } = await sandbox(t)
  await go('return 1')
  const [{ pid } = { pid: 0 }] = pool.readings().processes
  const folder = groupOf(pid) as string
  t.match(folder, `agent-platform-sandbox-${pid}`)
  t.equal(readFileSync(`${folder}/memory.limit_in_bytes`, 'utf8').trim(), String(640 * 1_048_576))
  process.kill(pid, 'SIGKILL')
  const end = performance.now() + 10_000
  while (existsSync(folder) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 10))
  t.notOk(existsSync(folder))
})
