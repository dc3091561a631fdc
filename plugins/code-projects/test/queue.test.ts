// budget: 15 s, because builds are processes in a real computer
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noComputers } from '../../../test/computers.ts'
import { building } from './testbed.ts'

const skip = await noComputers()
const { as } = await boot(t, 'code-projects', 'computers')
const ada = as('ada')
const { make, begin, ended, enable } = building(ada)
const { id: agentId } = await ada.agent()
const of = (rest = '', agent = agentId) => `/v1/agents/${agent}/projects${rest}`

if (!skip) await enable(agentId, { memoryMb: 256, storageMb: 64 })

t.test(
  'builds of a project wait for each other, fail by themselves and are cancelled',
  { skip },
  async (t) => {
    const slow =
      'echo begun; test ! -e ../running || exit 9; touch ../running; sleep 0.3; rm ../running; mkdir dist; echo hi > dist/index.html'
    const { id } = await make(agentId, { files: [], buildCommand: slow, outputFolder: 'dist' })
    const begun = await Promise.all([1, 2, 3].map(() => ada.post(of(`/${id}/publish`), { wait: 0 })))
    t.same(
      begun.map(({ body }) => body.data.status),
      ['queued', 'queued', 'queued']
    )
    for (const { body } of begun) t.match(await ended(body.data), { status: 'completed', log: /begun/ })
    const numbers = (await ada.get(of(`/${id}/publications`))).body.data.map(
      ({ number }: { number: number }) => number
    )
    t.same(numbers, [3, 2, 1])

    await ada.put(of(`/${id}`), { buildCommand: 'echo some; echo why >&2; exit 3' })
    t.match(await begin(of(`/${id}/publish`)), {
      status: 'failed',
      reason: 'build_failed',
      exitCode: 3,
      log: /some\nwhy/
    })
    await ada.put(of(`/${id}`), { buildCommand: 'true' })
    t.match(await begin(of(`/${id}/publish`)), { status: 'failed', reason: 'nothing_built' })
    await ada.put(of(`/${id}`), {
      buildCommand: 'mkdir dist; ln -s /etc/passwd dist/a; ln -s / dist/b; mkfifo dist/c'
    })
    t.match(
      await begin(of(`/${id}/publish`)),
      { status: 'failed', reason: 'nothing_built' },
      'links lead nowhere'
    )

    await ada.put(of(`/${id}`), { buildCommand: 'echo waits; sleep 1000' })
    const waits = (await ada.post(of(`/${id}/publish`), { wait: 0 })).body.data
    const behind = (await ada.post(of(`/${id}/publish`), { wait: 0 })).body.data
    const build = of(`/${id}/builds/${waits.id}`)
    for (;;) {
      const { log, endedAt } = (await ada.get(build)).body.data
      if (/waits/.test(log) || endedAt !== null) break
      await delay(50)
    }
    t.match(await as('eve').post(`${build}/cancel`), { status: 403 })
    t.match(await ada.post(of(`/${id}/builds/build_nope/cancel`)), { status: 404 })
    t.match(await ada.post(of(`/${id}/builds/${behind.id}/cancel`)), {
      body: { data: { status: 'cancelled' } }
    })
    t.match(await ada.post(`${build}/cancel`), { status: 200 })
    t.match(await ended(waits), { status: 'cancelled' })
    t.match(await ada.post(`${build}/cancel`), { status: 409, body: { error: { code: 'ended' } } })
    for (let n = 0; n < 5; n++) await ada.post(of(`/${id}/publish`), { wait: 0 })
    t.match(await ada.post(of(`/${id}/publish`), { wait: 0 }), {
      status: 429,
      body: { error: { code: 'too_many_builds' } }
    })
    await ada.delete(of(`/${id}`))
  }
)

t.test('files are exported to where the agent works', { skip }, async (t) => {
  const { id, slug } = await make(agentId, {})
  t.match(await ada.post(of(`/${id}/export`)), {
    status: 200,
    body: { data: { folder: `projects/${slug}`, files: 3, version: 1 } }
  })
  t.match(await ada.post(of(`/${id}/export`), { folder: 'work/tea' }), {
    body: { data: { folder: 'work/tea' } }
  })
  const read = await ada.get(`/v1/agents/${agentId}/computer/files/read?path=work/tea/main.js`)
  t.match(read.body.data.content, /Hello/)
  for (const folder of ['../x', '/etc', 'a/../../b'])
    t.match(await ada.post(of(`/${id}/export`), { folder }), {
      status: 400,
      body: { error: { param: '/folder' } }
    })
})
