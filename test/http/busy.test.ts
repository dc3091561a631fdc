import t from 'tap'
import { boot } from '../boot.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'

t.test('what is busy, or full, is not away', async (t) => {
  const lines: Record<string, unknown>[] = []
  const { as, anyone, platform } = await boot(t, 'probe', {
    folders: [await probeFolder(t)],
    log: (line) => lines.push(line)
  })
  const ada = as('ada')
  // Each lease of the limit is twice the one before: the last one suffices for what follows.
  for (let sent = 0; sent < 20; sent++) t.match(await ada.get('/v1/agents'), { status: 200 })
  const ready = async () => (await anyone.get('/health/ready')).body.data

  await t.test('all connections are taken', async (t) => {
    const { client } = platform.knex
    const taken = await Promise.all(Array.from({ length: 12 }, () => client.acquireConnection()))
    const reply = await ada.get('/v1/agents')
    refused(t, reply, 503, { code: 'busy', message: /busy/ })
    t.equal(reply.headers.get('retry-after'), '1')
    t.match(await ready(), { ready: true, database: true })
    await Promise.all(taken.map((one) => client.releaseConnection(one)))
    t.match(await ada.get('/v1/agents'), { status: 200 })
  })

  for (const [path, code] of [
    ['no-file', 'ENOENT'],
    ['no-server', 'ECONNREFUSED']
  ] as const)
    await t.test(`${code} is of something else`, async (t) => {
      const reply = await ada.get(`/v1/probe/${path}`)
      refused(t, reply, 500, { message: /our side/ })
      t.match(
        lines.findLast(({ msg }) => msg === 'request failed'),
        { err: { code } }
      )
    })

  await t.test('the disk is full', async (t) => {
    t.match(await ready(), { ready: true, storage: true })
    refused(t, await ada.get('/v1/probe/full'), 507, { code: 'disk_full' })
    t.match(await anyone.get('/health/ready'), { status: 503, body: { data: { storage: false } } })
    refused(t, await ada.get('/v1/probe/no-space'), 507, { code: 'disk_full' })
    t.match(await ada.get('/v1/agents'), { status: 200 }, 'what only reads goes on')
  })
})
