import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import type { Sandbox } from '../../sandbox/contract.ts'
import { appOf } from './testbed.ts'

const { as, admin, platform } = await boot(t, 'ui-plugins', 'sandbox', 'packs')
const [ada, eve] = [as('ada'), as('eve')]
const path = '/v1/ui-plugins'
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})
const put = (id: string, text: string, manifest: object = {}, by = ada) =>
  by.put(path, appOf({ id, ...manifest }, { 'server.js': { text } }))
const sandbox = () =>
  platform.server.current().packs.get('sandbox')?.deps.sandboxService as unknown as Sandbox
const GOOD = 'export const functions = { forecast() {} }'
const LOOP = 'for (;;);'

t.test('server code is loaded when it is registered', async (t) => {
  const made = await ada.put(path, appOf())
  t.match(made, { status: 201, body: { data: { health: { state: 'healthy', reason: null } } } })
  t.equal((await ada.put(path, appOf({ version: '1.1.0' }))).status, 200)
  const inDefault = 'export default { functions: { forecast() {} } }'
  t.equal((await put('by-default', inDefault)).status, 201)
  const pageOnly = appOf({ id: 'page-only', server: undefined, functions: [] })
  t.equal((await ada.put(path, pageOnly)).status, 201, 'there is nothing to load')
})

t.test('what does not load, or is not exported, is refused', async (t) => {
  const refused = async (text: string, code: string | undefined, param: string, words: RegExp) => {
    const reply = await put('broken', text)
    t.match(reply, refuses(400, code, param), text)
    t.match(reply.body.error.message, words)
  }
  const at = '/files/server.js'
  await refused('export const functions = {', 'invalid_program', at, /cannot be loaded: Unexpected end/)
  await refused('throw new Error("no weather")', 'invalid_program', at, /no weather/)
  await refused('import "node:fs"; export const functions = {}', 'invalid_program', at, /imports nothing/)
  await refused('export const forecast = () => 1', 'invalid_program', at, /functions/)
  await refused(LOOP, 'cpu_exceeded', at, /processor/)
  const other = 'export const functions = { forcast() {}, other() {} }'
  await refused(other, undefined, '/manifest/functions/0/name', /does not export a function forecast/)
  const [fn] = appOf().manifest.functions
  const two = { functions: [fn, { ...fn, name: 'toString' }] }
  t.match(await put('broken', GOOD, two), refuses(400, undefined, '/manifest/functions/1/name'))
  const schema = { functions: [{ ...fn, output: { type: 'object', properties: { a: { pattern: '(' } } } }] }
  t.match(
    await put('broken', GOOD, schema),
    refuses(400, undefined, '/manifest/functions/0/output/properties/a')
  )
  t.equal((await ada.get(`${path}/broken`)).status, 404, 'nothing came of it')
  t.match((await put('weather-desk', LOOP, { version: '1.1.0' })).body.error, { code: 'version_exists' })
  t.match(await put('weather-desk', LOOP, {}, eve), refuses(403, 'not_owner'), 'and is not even loaded')
})

t.test('what cannot be told now is 503, and registers nothing', async (t) => {
  const settings = { callsPerOwner: 1, cpuMilliseconds: 20_000 }
  t.equal((await admin.put('/v1/packs/sandbox', { settings })).status, 200)
  // Processes that have started: a call that was not sent to one yet is only tried again.
  for (const id of ['third', 'fourth']) t.equal((await put(id, GOOD, {}, eve)).status, 201)
  const before = await platform.knex('storage.object').count()
  const first = put('first', LOOP)
  const loops = () =>
    sandbox()
      .readings()
      .processes.find(({ calls }) => calls > 0)
  await until(async () => loops(), Boolean)
  t.match(await put('second', GOOD), refuses(503, 'overloaded'))
  const { pid } = loops() ?? {}
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  const lost = await first
  t.match(lost, refuses(503, 'sandbox_lost', '/files/server.js'))
  t.ok(lost.headers.get('retry-after'))
  for (const id of ['first', 'second']) t.equal((await ada.get(`${path}/${id}`)).status, 404)
  t.same(await platform.knex('storage.object').count(), before, 'nor are bytes left')
  const { body } = await ada.get(`${path}/weather-desk`)
  t.match(body.data.health, { state: 'healthy', losses: 0 }, 'apps are not blamed for it')
  t.equal((await put('second', GOOD)).status, 201)
})
