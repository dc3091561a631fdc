import { join } from 'node:path'
import { newId } from 'agent-platform'
import t from 'tap'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { hear } from '../../../test/packs/stage.ts'
import type { Runs } from '../contract.ts'
import { local, stage } from './testbed.ts'

const starter = packText(
  'starter',
  `requires: ['runs'],
  resume: async ({ runs }) => opened.publish(runs)`,
  `import { channel } from 'node:diagnostics_channel'
  const opened = channel('starter.opened')`
)

const scopes = new Set(['agents:run'])

t.test('a run of an id that its caller has recorded begins once', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFiles(join(folder, 'starter'), { 'pack.ts': starter })
  const opened = hear<Runs>(t, 'starter.opened')
  const { booted, ada } = await stage(t, { folders: [folder], packs: ['starter'] })
  const runs = await opened.next()
  const agent = await ada.agent(local)
  const principal = (id: string) =>
    ({ id, owner: id, type: 'user', project: 'default', scopes, narrowed: false, credential: '' }) as const
  const by = principal(ada.id)
  const id = newId('run')
  const order = { id, agentId: agent.id, messages: [{ role: 'user' as const, content: '/say Hello' }] }
  const begun = await Promise.all([1, 2, 3].map(() => runs.start(by, order)))
  t.equal(begun[0]?.id, id)
  t.equal(new Set(begun.map(({ sessionId }) => sessionId)).size, 1)
  t.match(await runs.settled(by, id, AbortSignal.timeout(60_000)), { status: 'completed', content: 'Hello' })
  const { id: again, sessionId } = await runs.start(by, order)
  t.same([again, sessionId], [id, begun[0]?.sessionId], 'also when it has ended')
  const { id: faster } = await runs.start(by, { ...order, isNew: true })
  t.equal(faster, id, 'also where another instance began it in between')
  t.equal(
    await booted.platform
      .knex('runs.run')
      .count()
      .then(([row]) => Number(row?.count)),
    1
  )

  await t.rejects(runs.start(principal('eve'), order), { message: /do not have access to this run/ })
})

t.test('a session that begins with a run is called by what was asked first', async (t) => {
  const { ada } = await stage(t)
  const agent = await ada.agent(local)
  const titled = async (content: string) => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content }
    ]
    const { sessionId } = (await ada.post('/v1/agents/run', { agentId: agent.id, messages })).body.data
    return (await ada.get(`/v1/sessions/${sessionId}`)).body.data.title
  }
  t.equal(await titled('\n Where is\tmy  parcel?\nIt is late.'), 'Where is my parcel?')
  t.equal(await titled(`/say ${'🎈'.repeat(100)}`), `/say ${'🎈'.repeat(74)}…`)
})
