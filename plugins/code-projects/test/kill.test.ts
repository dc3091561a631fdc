// budget: 15 s, because an instance is killed, which is a process of its own, and builds run in real computers
// tier: whole
import { execFileSync } from 'node:child_process'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { noComputers } from '../../../test/computers.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { building } from './testbed.ts'

const skip = await noComputers()
t.setTimeout(300_000)

/** Known from all other programs by its name. */
const NAME = 'sleep 4711'
const running = () => {
  try {
    return Number(execFileSync('pgrep', ['-fxc', NAME]).toString())
  } catch {
    return 0
  }
}

t.test('kill -9 in the middle of a build: another instance builds it, once', { skip }, async (t) => {
  const packs = [
    'access',
    'agents',
    'code-projects',
    'computers',
    'files',
    'jobs',
    'models',
    'outgoing',
    'packs',
    'storage'
  ]
  const home = await boot(t, { packs })
  const ada = home.as('ada')
  const victim = await startPlatform(t, home.connection, [], packs)
  await victim.ready
  const there = createClient(victim.url, 'ada', await ada.key())
  const { make, enable } = building(there)
  const { id: agentId } = await there.agent()
  await enable(agentId, { memoryMb: 256, storageMb: 64 })
  const slow = `mkdir dist; echo hi > dist/index.html; echo begun; ${NAME}; true`
  const { id } = await make(agentId, { files: [], buildCommand: slow, outputFolder: 'dist' })
  const at = `/v1/agents/${agentId}/projects/${id}`
  const build = (await there.post(`${at}/publish`, { wait: 0 })).body.data
  await until(
    async () => running(),
    (count) => count === 1
  )
  await victim.kill()
  await until(
    async () => running(),
    (count) => count === 0
  )
  await until(
    async () => running(),
    (count) => count === 1
  )
  execFileSync('pkill', ['-fx', NAME])
  const over = await until(
    async () => (await ada.get(`${at}/builds/${build.id}`)).body.data,
    ({ endedAt }) => endedAt !== null
  )
  t.match(
    over,
    { status: 'completed', log: /^\$ mkdir[^\n]*\nbegun\nTerminated\n*$/ },
    'its log is that of the second attempt'
  )
  t.equal((await ada.get(`${at}/publications`)).body.data.length, 1, 'it is published once')
  t.equal(running(), 0, 'nothing is left of it')
  await building(ada).enable(agentId, { memoryMb: 256, storageMb: 64 })
  await ada.put(at, { buildCommand: 'mkdir -p dist; echo again > dist/index.html' })
  t.match(await building(ada).begin(`${at}/publish`), { status: 'completed' }, 'and the next one is built')
})
