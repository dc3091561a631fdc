// budget: 20 s, because a process is killed, and its work is taken for lost only after a while
// tier: whole
import type { Test } from 'tap'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { packText } from '../../../test/pack-folders.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until, workshop } from '../../../test/packs/stage.ts'
import { agentLine, blankSkill, forge, line, uploaded } from './testbed.ts'

const packs = ['agents', 'files', 'goals', 'jobs', 'outgoing', 'models', 'skills', 'storage', 'trap']
/** The last part of all: in the process that is to be killed it does not end. */
const trap = packText(
  'trap',
  `contributes: { 'archives.part': [{ order: 1000, make: () => {
    const hold = async () => { if (process.env.STAGE_CONNECTION) await new Promise(() => undefined) }
    return {
      version: 1, what: 'a trap', records: {},
      async *export() { await hold() },
      async import() { await hold() }
    }
  } }] }`
)

/** An instance without archives here, one with them in a process of its own, and a client of that one. */
async function pair(t: Pick<Test, 'teardown' | 'match'>) {
  const { folder, write } = await workshop(t)
  await write('trap', { 'pack.ts': trap })
  const home = await boot(t, { packs: ['access', 'packs', ...packs], folders: [folder] })
  // In the table, so that the other process has it too.
  await home.admin.put('/v1/packs/jobs', { settings: { lostAfterSeconds: 3, pollSeconds: 0.1 } })
  const ada = home.as('ada')
  const doomed = await startPlatform(t, home.connection, [folder], [...packs, 'archives'], {
    DATA_DIR: home.dataDir
  })
  await doomed.ready
  const there = createClient(doomed.url, 'ada', ada.key())
  /** `kill -9` there, where the trap has it; then archives are on here. */
  async function takeOver(table: string, id: string) {
    const progress = () => home.platform.knex(table).where({ id }).first('progress')
    await until(progress, (row) => row?.progress.part === 'trap')
    await doomed.kill()
    t.match(await home.admin.put('/v1/packs/archives', { enabled: true }), { status: 200 })
  }
  const ended = (path: string) =>
    until(
      async () => (await ada.get(path)).body.data,
      (it) => ['completed', 'failed'].includes(it?.status)
    )
  return { home, ada, there, takeOver, ended, knex: home.platform.knex }
}

const skill = { ...blankSkill, id: 'skill_01k4qz0000e0080000000000ab', slug: 'tea', name: 'tea' }

t.test(
  'kill -9 in the middle of an import: half an agent goes, and another instance makes a whole one',
  async (t) => {
    const { home, ada, there, takeOver, ended, knex } = await pair(t)
    const parts = {
      agents: agentLine(),
      goals: line('goal', { title: 'Ship', description: null, progress: 0, status: 'open' }),
      skills: line('skill', skill),
      trap: ''
    }
    const fileId = await uploaded(ada, forge({ parts }))
    const { body } = await there.post('/v1/agents/import', { fileId, acceptUnsigned: true })
    const { id } = body.data
    await takeOver('archives.import', id)
    const [half] = await knex('agents.agent').pluck('id')
    t.ok(half, 'it had begun')
    t.match(await ada.get('/v1/skills/tea'), { status: 200 })

    const done = await ended(`/v1/agents/imports/${id}`)
    t.match(done, { status: 'completed', error: null })
    t.not(done.agentId, half)
    await home.settled()
    t.match((await ada.get('/v1/agents')).body.data, [{ id: done.agentId, name: 'Forged' }])
    t.match(await ada.get(`/v1/agents/${half}`), { status: 404 })
    t.match(
      (await ada.get('/v1/goals')).body.data,
      [{ agentId: done.agentId }],
      'what belonged to the half goes with it'
    )
    t.equal((await ada.get('/v1/skills')).body.data.length, 1, 'and what did not was taken back')
    t.same(await knex('archives.reserved'), [])
  }
)

t.test('kill -9 in the middle of an export: another instance makes the archive, once', async (t) => {
  const { ada, there, takeOver, ended, knex } = await pair(t)
  const agent = await ada.agent()
  const { body } = await there.post(`/v1/agents/${agent.id}/export`)
  await takeOver('archives.export', body.data.id)
  const done = await ended(`/v1/agents/exports/${body.data.id}`)
  t.match(done, {
    status: 'completed',
    parts: [{ pack: 'agents' }, {}, {}, {}, { pack: 'trap', records: 0 }]
  })
  t.same(await knex('files.file').pluck('id'), [done.fileId])
})
